package org.understudy.replication.core.membership;

import org.understudy.replication.core.Effects;
import org.understudy.replication.core.ReplicaSetup;

/** Reports that a primary executes updates and does not get a lease, under which alone its health shows that it is writable. */
final class LeaseWatch {
  /** An acknowledgement that is late once needs no operator. */
  private static final int LATE_SUSPICIONS = 5;

  private final ReplicaSetup setup;
  private long hadLeaseAt;
  private boolean reported;

  LeaseWatch(ReplicaSetup setup) {
    this.setup = setup;
  }

  /** Called when a view begins that this replica leads. */
  void begun(long now) {
    hadLeaseAt = now;
    reported = false;
  }

  /** @param lacksLease whether this primary may execute updates, and has no lease */
  void tick(long now, boolean lacksLease, Effects out) {
    if (!lacksLease) {
      begun(now);
    } else if (!reported && now - hadLeaseAt > LATE_SUSPICIONS * setup.timing().suspectNanos()) {
      reported = true;
      out.warn(
          "Replica " + setup.self() + " executes updates, but does not report that it is writable: the other replicas acknowledge its"
              + " heartbeats later than the longest lease of " + setup.timing().longestLeaseNanos() / 1_000_000 + " ms lasts. Check them"
              + " and the network to them; set understudy.heartbeat.ms to a tenth of the round trip at least.");
    }
  }
}
