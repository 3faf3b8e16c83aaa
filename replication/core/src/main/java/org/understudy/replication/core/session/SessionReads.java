package org.understudy.replication.core.session;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.TreeSet;
import org.understudy.replication.api.SessionId;

/** Sessions that have read at this replica and must be reported to the replica that expires sessions. */
final class SessionReads {
  private static final int MAX_AT_ONCE = 1_000;

  private final long intervalNanos;
  private final TreeSet<SessionId> sessions = new TreeSet<>();
  private long sentAt;

  /** @param leaseNanos of a session; ids are sent several times within it */
  SessionReads(long leaseNanos) {
    this.intervalNanos = leaseNanos / 10;
  }

  void add(SessionId session) {
    sessions.add(session);
  }

  void clear() {
    sessions.clear();
  }

  /** Removes and returns the ids that are due to be sent now; mostly none. */
  List<SessionId> take(long now) {
    if (sessions.isEmpty() || now - sentAt < intervalNanos) {
      return List.of();
    }
    List<SessionId> some = new ArrayList<>();
    for (Iterator<SessionId> all = sessions.iterator(); all.hasNext() && some.size() < MAX_AT_ONCE; ) {
      some.add(all.next());
      all.remove();
    }
    if (sessions.isEmpty()) {
      sentAt = now;
    }
    return some;
  }
}
