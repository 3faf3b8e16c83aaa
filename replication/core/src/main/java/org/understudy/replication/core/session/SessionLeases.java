package org.understudy.replication.core.session;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.understudy.replication.api.SessionId;

/**
 * When each session was last active, at the replica that expires sessions. A new one counts from its own start. A session
 * that has only been
 * opened has a shorter lease, so that a client that opens many and uses none does not hold its places for long.
 */
final class SessionLeases {
  private static final long SHORTEST_FIRST_NANOS = 30_000_000_000L;

  private final long leaseNanos;
  private final long firstLeaseNanos;
  private final Map<SessionId, Long> activeAt = new TreeMap<>();
  private long nextCheck;

  SessionLeases(long leaseNanos) {
    this.leaseNanos = leaseNanos;
    this.firstLeaseNanos = Math.min(leaseNanos, Math.max(SHORTEST_FIRST_NANOS, leaseNanos / 10));
  }

  /** All these are active now, and no others. */
  void begin(long now, List<SessionId> sessions) {
    activeAt.clear();
    sessions.forEach(session -> activeAt.put(session, now));
    nextCheck = now + firstLeaseNanos / 10;
  }

  /** The session was opened, perhaps not for the first time. */
  void open(long now, SessionId session) {
    activeAt.merge(session, now - leaseNanos + firstLeaseNanos, Math::max);
  }

  /** The session was asked for something. */
  void renew(long now, SessionId session) {
    activeAt.put(session, now);
  }

  void end(SessionId session) {
    activeAt.remove(session);
  }

  /** Whether it is time to look for expired sessions; once in a tenth of the shortest lease. */
  boolean isDue(long now) {
    return now >= nextCheck;
  }

  /** Those whose lease has run out: they are active no longer. */
  List<SessionId> expire(long now) {
    nextCheck = now + firstLeaseNanos / 10;
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
