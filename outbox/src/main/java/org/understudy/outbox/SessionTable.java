package org.understudy.outbox;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The stored sessions with groups of replicas. Guarded by the lock of the {@link CallTable}. */
final class SessionTable {
  /** The default lease of a session at a group. */
  private static final long UNUSED_NANOS = TimeUnit.MINUTES.toNanos(10);
  private static final long CHECK_INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Map<String, Session> byKey = new HashMap<>();
  private long nextCheck;
  private boolean checked;

  /** A session and the time of the check that first found it unused. */
  private static final class Session {
    final GroupSession session;
    boolean unused;
    long unusedSince;
    /** Whether the session is about to be removed, so that no call may be sent in it. */
    boolean closing;

    Session(GroupSession session) {
      this.session = session;
    }
  }

  void apply(String key, byte[] state) {
    if (state == null) {
      byKey.remove(key);
    } else {
      byKey.put(key, new Session(GroupSession.decode(state)));
    }
  }

  void clear() {
    byKey.clear();
  }

  GroupSession find(String destination) {
    Session found = byKey.get(Keys.session(destination));
    return found == null ? null : found.session;
  }

  boolean isClosing(String destination) {
    Session found = byKey.get(Keys.session(destination));
    return found != null && found.closing;
  }

  void keep(String key) {
    Session found = byKey.get(key);
    if (found != null) {
      found.closing = false;
      found.unused = false;
    }
  }

  /**
   * See {@link CallTable#closeUnusedSessions}. Checks once a minute.
   *
   * @param busy destinations with calls, replies or tasks
   */
  List<String> closeUnused(long now, Collection<String> busy) {
    if (byKey.isEmpty() || checked && now - nextCheck < 0) {
      return List.of();
    }
    checked = true;
    nextCheck = now + CHECK_INTERVAL_NANOS;
    Set<String> used = new HashSet<>();
    busy.forEach(name -> used.add(Keys.session(name)));
    List<String> unused = new ArrayList<>();
    byKey.forEach((key, session) -> {
      if (used.contains(key) || !session.unused) {
        session.unused = !used.contains(key);
        session.unusedSince = now;
      } else if (!session.closing && now - session.unusedSince >= UNUSED_NANOS) {
        session.closing = true;
        unused.add(key);
      }
    });
    return unused;
  }
}
