package org.understudy.replication.core.membership;

import java.util.Map;
import java.util.TreeMap;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Rule;

/**
 * The primary's side of leases. A heartbeat that was acknowledged counts from when it was <em>sent</em>: whoever
 * acknowledged it promises no candidate until one lease after he got it, which is later.
 */
final class Lease {
  private final ReplicaSetup setup;
  private final Map<ReplicaId, Long> acknowledged = new TreeMap<>();
  /** The last heartbeat that enough replicas acknowledged was sent then, or one after it; kept, for each read asks. */
  private long majorityAt = Long.MIN_VALUE;
  /** Heartbeats sent up to this time count no more. */
  private long voidUpTo = Long.MIN_VALUE;
  private boolean compared;
  private long offset;

  Lease(ReplicaSetup setup) {
    this.setup = setup;
  }

  void clear() {
    acknowledged.clear();
    majorityAt = Long.MIN_VALUE;
  }

  /**
   * Compares the clocks at each step: when they have moved apart by more than half the margin, one of them stood still
   * (a suspended virtual machine) or was set, and what was measured on them is void.
   */
  void compareClocks(long now, long wall) {
    boolean jumped = compared && Math.abs(wall - now - offset) > setup.timing().leaseMarginNanos() / 2;
    if (!compared || jumped) {
      compared = true;
      offset = wall - now;
    }
    if (jumped && setup.enforces(Rule.CLOCK_JUMP_VOIDS_LEASE)) {
      clear();
      voidUpTo = now;
    }
  }

  /**
   * The time that a heartbeat sent now bears. After a jump of the clocks in this very step it is later by a nanosecond than
   * what the jump voided: a clock that keeps standing still would void every heartbeat otherwise, and no read be answered.
   */
  long sendTime(long now) {
    return Math.max(now, voidUpTo + 1);
  }

  void acknowledged(ReplicaId voter, long sentAt) {
    if (sentAt > voidUpTo) {
      acknowledged.merge(voter, sentAt, Math::max);
      int others = setup.majority() - 1;
      if (others > 0 && acknowledged.size() >= others) {
        long[] times = acknowledged.values().stream().mapToLong(Long::longValue).sorted().toArray();
        majorityAt = times[times.length - others];
      }
    }
  }

  /**
   * Until when no other view can have formed: with this replica, those who acknowledged at or after some moment are a
   * majority, so any other majority contains one of them.
   *
   * @return nanoseconds of this replica's clock; {@link Long#MIN_VALUE} when there is none
   */
  long until(long now) {
    if (setup.majority() == 1) {
      return now;
    }
    return majorityAt == Long.MIN_VALUE
        ? Long.MIN_VALUE
        : majorityAt + setup.timing().leaseNanos() - setup.timing().leaseMarginNanos();
  }
}
