package org.understudy.replication.core.membership;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.ReplicaSetup;

/**
 * The primary's side of leases. A heartbeat that was acknowledged counts from when it was <em>sent</em>: whoever
 * acknowledged it promises no candidate until one lease after he got it, which is later.
 */
final class Lease {
  private final ReplicaSetup setup;
  private final Map<ReplicaId, Long> acknowledged = new TreeMap<>();

  Lease(ReplicaSetup setup) {
    this.setup = setup;
  }

  void clear() {
    acknowledged.clear();
  }

  void acknowledged(ReplicaId voter, long sentAt) {
    acknowledged.merge(voter, sentAt, Math::max);
  }

  /**
   * Until when no other view can have formed: with this replica, those who acknowledged at or after some moment are a
   * majority, so any other majority contains one of them.
   *
   * @return nanoseconds of this replica's clock; {@link Long#MIN_VALUE} when there is none
   */
  long until(long now) {
    int others = setup.majority() - 1;
    if (others == 0) {
      return now;
    }
    if (acknowledged.size() < others) {
      return Long.MIN_VALUE;
    }
    long[] times = new long[acknowledged.size()];
    int i = 0;
    for (long time : acknowledged.values()) {
      times[i++] = time;
    }
    Arrays.sort(times);
    return times[times.length - others] + setup.timing().leaseNanos() - setup.timing().leaseMarginNanos();
  }
}
