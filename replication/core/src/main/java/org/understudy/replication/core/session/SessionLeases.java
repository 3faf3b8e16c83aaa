package org.understudy.replication.core.session;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.understudy.replication.api.SessionId;

/**
 * When each session was last active, at the replica that expires sessions. A new such replica counts from its own start. A
 * session that was only opened has a shorter lease, so that a client that opens many and uses none frees its places soon. While that
 * replica has no majority, or is stopped, it cannot hear sessions, so leases stand still. Each check counts at least the interval between
 * two checks, so a session that is silent ends after a bounded number of them, however late they are.
 */
final class SessionLeases {
  private static final long SHORTEST_FIRST_NANOS = 30_000_000_000L;

  private final long leaseNanos;
  private final long firstLeaseNanos;
  private final boolean standing;
  private final Map<SessionId, Long> activeAt = new TreeMap<>();
  private long nextCheck;

  /** @param standing whether leases stand still during an outage */
  SessionLeases(long leaseNanos, boolean standing) {
    this.standing = standing;
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
    // An outage that has ended prolongs no session that is opened after it.
    standStill(now);
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

  /** Makes each session's last request later by the time since the last check was due, if that is long: this replica heard no session. */
  private void standStill(long now) {
    long late = now - nextCheck;
    if (standing && late > firstLeaseNanos / 10) {
      activeAt.replaceAll((session, at) -> Math.min(now, at + late));
      nextCheck = now;
    }
  }

  /** Removes and returns the sessions whose lease has expired. */
  List<SessionId> expire(long now) {
    standStill(now);
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
