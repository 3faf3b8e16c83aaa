package org.understudy.replication.core.membership;

import org.understudy.replication.api.View;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.ReplicaSetup;

/** Reports once for each wait that this replica is up to date and not a member. The primary alone knows the reason. */
final class AdmissionWatch {
  /** Suspicion times in which a joiner is invited if nothing prevents it. */
  private static final int ADMISSION_SUSPICIONS = 2;

  private final ReplicaSetup setup;
  /** When this replica last was not up to date, or a member; 0 is the first step. */
  private long waitsSince;
  private boolean reported;

  AdmissionWatch(ReplicaSetup setup) {
    this.setup = setup;
  }

  /** @param waits whether this replica is no member, but holds what the primary of the view sends it */
  void tick(long now, boolean waits, View view, Effects out) {
    if (!waits) {
      waitsSince = now;
      reported = false;
    } else if (!reported && now - waitsSince > ADMISSION_SUSPICIONS * setup.timing().suspectNanos()) {
      reported = true;
      out.inform(
          "Replica " + setup.self() + " is up to date and waits until replica " + view.primary() + " makes it a member: one that"
              + " has left several views waits for up to 60 s, and one that acknowledges late waits for some time. The log of replica "
              + view.primary() + " has the reason if it is the first.");
    }
  }
}
