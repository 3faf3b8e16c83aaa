package org.understudy.replication.core.session;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.understudy.replication.api.SessionId;

/**
 * When each session was last active, at the replica that expires sessions. A new such replica counts from its own start. A
 * session that was only opened has a shorter lease, so that a client that opens many and uses none frees its places soon.
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

  /** Makes exactly these sessions active now. */
  void begin(long now, List<SessionId> sessions) {
    activeAt.clear();
    sessions.forEach(session -> activeAt.put(session, now));
    nextCheck = now + firstLeaseNanos / 10;
  }

  /** Records that the session was opened, perhaps again. */
  void open(long now, SessionId session) {
    activeAt.merge(session, now - leaseNanos + firstLeaseNanos, Math::max);
  }

  /** Records a request of the session. */
  void renew(long now, SessionId session) {
    activeAt.put(session, now);
  }

  void end(SessionId session) {
    activeAt.remove(session);
  }

  /** Whether to look for expired sessions: once in a tenth of the shortest lease. */
  boolean isDue(long now) {
    return now >= nextCheck;
  }

  /** Removes and returns the sessions whose lease has expired. */
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
