package org.understudy.client.session;

import java.util.concurrent.atomic.AtomicReference;
import org.understudy.replication.api.VersionHandle;

/** The highest version of the group's state that this client has seen. Thread-safe. */
public final class SeenVersion {
  private final AtomicReference<Seen> seen = new AtomicReference<>(new Seen(VersionHandle.INITIAL));

  private record Seen(VersionHandle version, String text) {
    Seen(VersionHandle version) {
      this(version, version.toString());
    }
  }

  /**
   * @param version null is ignored
   */
  public void saw(VersionHandle version) {
    if (version == null || version.compareTo(seen.get().version) <= 0) {
      return;
    }
    Seen mine = new Seen(version);
    seen.accumulateAndGet(mine, (old, other) -> other.version.compareTo(old.version) > 0 ? other : old);
  }

  /** As written on the wire. */
  public String text() {
    return seen.get().text;
  }
}
