package org.understudy.client.session;

import java.util.concurrent.atomic.AtomicReference;
import org.understudy.replication.api.VersionHandles;

/** The highest version of each scope that this client has seen. Thread-safe. */
public final class SeenVersions {
  private final AtomicReference<VersionHandles> seen = new AtomicReference<>(VersionHandles.NONE);

  public void saw(VersionHandles versions) {
    seen.updateAndGet(before -> before.merge(versions));
  }

  public VersionHandles all() {
    return seen.get();
  }
}
