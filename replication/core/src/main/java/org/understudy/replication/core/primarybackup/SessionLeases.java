package org.understudy.replication.core.primarybackup;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.understudy.replication.api.SessionId;

/** As primary: when each session was last active. A new primary counts from its own start. */
final class SessionLeases {
  private final long leaseNanos;
  private final Map<SessionId, Long> activeAt = new TreeMap<>();
  private long nextCheck;

  SessionLeases(long leaseNanos) {
    this.leaseNanos = leaseNanos;
  }

  /** All these are active now, and no others. */
  void begin(long now, List<SessionId> sessions) {
    activeAt.clear();
    sessions.forEach(session -> activeAt.put(session, now));
    nextCheck = now + leaseNanos / 10;
  }

  /** The session was asked for something. */
  void renew(long now, SessionId session) {
    activeAt.put(session, now);
  }

  void end(SessionId session) {
    activeAt.remove(session);
  }

  /** Whether it is time to look for expired sessions; once in a tenth of the lease. */
  boolean isDue(long now) {
    return now >= nextCheck;
  }

  /** Those whose lease has run out: they are active no longer. */
  List<SessionId> expire(long now) {
    nextCheck = now + leaseNanos / 10;
    List<SessionId> expired = new ArrayList<>();
    activeAt.forEach((session, at) -> {
      if (now - at > leaseNanos) {
        expired.add(session);
      }
    });
    expired.forEach(activeAt::remove);
    return expired;
  }
}
