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
 *
 * <p>A session that is active at another replica within its lease is known here when a report has come, see {@link ActiveSessions}. So it
 * ends some report intervals later than its lease: the first report may be lost, and the next one too.
 */
final class SessionLeases {
  private static final long SHORTEST_FIRST_NANOS = 30_000_000_000L;
  private static final int REPORTS_IN_FIRST_LEASE = 10;
  /** At once, and at the ends of two intervals, the last of which may be late. */
  private static final int REPORTS_WAITED_FOR = 3;

  private final long leaseNanos;
  private final long firstLeaseNanos;
  private final boolean standing;
  private final Map<SessionId, Long> activeAt = new TreeMap<>();
  private long nextCheck;

  /** @param standing whether leases stand still during an outage */
  SessionLeases(long leaseNanos, boolean standing) {
    this.standing = standing;
    this.leaseNanos = leaseNanos;
    this.firstLeaseNanos = firstLease(leaseNanos);
  }

  private static long firstLease(long leaseNanos) {
    return Math.min(leaseNanos, Math.max(SHORTEST_FIRST_NANOS, leaseNanos / 10));
  }

  /** How often other replicas report a session that stays active: several times within each lease, also the first. */
  static long reportInterval(long leaseNanos) {
    return firstLease(leaseNanos) / REPORTS_IN_FIRST_LEASE;
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

  /** Whether the session has been heard since it was last found expired. */
  boolean isRunning(SessionId session) {
    return activeAt.containsKey(session);
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
      if (now - at > leaseNanos + REPORTS_WAITED_FOR * reportInterval(leaseNanos)) {
        expired.add(session);
      }
    });
    expired.forEach(activeAt::remove);
    return expired;
  }
}
