package org.understudy.replication.core.membership;

import java.util.Map;
import java.util.TreeMap;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.Timing;

/**
 * The primary's side of leases. An acknowledged heartbeat counts from when it was <em>sent</em>: the replica that
 * acknowledges it promises no candidate until one lease after receiving it, which is later.
 */
final class Lease {
  private static final long MILLISECOND = 1_000_000;
  private static final long MOST_MILLIS = 0xffff;

  private final ReplicaSetup setup;
  /** Until when each replica promises no other candidate, measured on this replica's clock. */
  private final Map<ReplicaId, Long> promised = new TreeMap<>();
  /** Until when enough replicas promise no other candidate; cached, because each read needs it. */
  private long majorityUntil = Long.MIN_VALUE;
  /** Heartbeats sent up to this time no longer count. */
  private long voidUpTo = Long.MIN_VALUE;
  private boolean compared;
  /** By how much the wall clock is ahead: after the last jump, and the least since then. */
  private long offset;
  private long least;

  Lease(ReplicaSetup setup) {
    this.setup = setup;
  }

  void clear() {
    promised.clear();
    majorityUntil = Long.MIN_VALUE;
  }

  /**
   * Compares the clocks at each step. When they have diverged by more than half the margin, one of them stood still (a suspended virtual
   * machine) or was set, and leases measured on them are void. A monotonic clock that stood still is measured from where it was furthest
   * ahead: otherwise a slow drift the other way would hide half a margin more.
   */
  void compareClocks(long now, long wall) {
    long ahead = wall - now;
    long unnoticed = setup.timing().leaseMarginNanos() / 2;
    boolean jumped = compared && (ahead - least > unnoticed || offset - ahead > unnoticed);
    if (!compared || jumped) {
      compared = true;
      offset = ahead;
      least = ahead;
    }
    least = Math.min(least, ahead);
    if (jumped && setup.enforces(Rule.CLOCK_JUMP_VOIDS_LEASE)) {
      clear();
      voidUpTo = now;
    }
  }

  /**
   * The timestamp of a heartbeat sent now. After a clock jump in this step it is one nanosecond later than the voided time;
   * otherwise a clock that keeps standing still would void every heartbeat, and no read could be answered.
   */
  long sendTime(long now) {
    return Math.max(now, voidUpTo + 1);
  }

  /** @param grantedMillis the length of a lease that is longer than usual; else 0 */
  void acknowledged(ReplicaId voter, long sentAt, int grantedMillis) {
    if (sentAt > voidUpTo) {
      promised.merge(voter, sentAt + length(grantedMillis), Math::max);
      int others = setup.majority() - 1;
      if (others > 0 && promised.size() >= others) {
        long[] times = promised.values().stream().mapToLong(Long::longValue).sorted().toArray();
        majorityUntil = times[times.length - others];
      }
    }
  }

  /** What counts of a lease: the clocks may drift apart by a margin, which grows with its length. */
  private long length(int grantedMillis) {
    long usual = setup.timing().leaseNanos();
    long length = grantedMillis == 0 ? usual : grantedMillis * MILLISECOND;
    long margin = setup.timing().leaseMarginNanos();
    return length - (long) (margin * (double) length / usual);
  }

  /**
   * The lease to ask for when heartbeats and their acknowledgements take this time: the next acknowledgement comes before it ends.
   *
   * @return ms; 0 for the usual lease
   */
  int wantedMillis(long roundTrip) {
    Timing timing = setup.timing();
    long needed = roundTrip + timing.heartbeatNanos();
    if (needed <= length(0) || !setup.enforces(Rule.LEASE_FOLLOWS_ROUND_TRIP)) {
      return 0;
    }
    long room = needed + needed / 4 + timing.heartbeatNanos();
    return (int) Math.min(Math.min(room, timing.longestLeaseNanos()) / MILLISECOND, MOST_MILLIS);
  }

  /** Whether no other view can have formed now. */
  boolean isHeld(long now) {
    return now <= until(now);
  }

  /**
   * The time until which no other view can form: the replicas that acknowledged at or after some moment and this one are a
   * majority, so every other majority contains one of them.
   *
   * @return nanoseconds of this replica's clock; {@link Long#MIN_VALUE} for none
   */
  long until(long now) {
    if (setup.majority() == 1) {
      return now;
    }
    return majorityUntil;
  }
}
