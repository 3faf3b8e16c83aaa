package org.understudy.replication.core.membership;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.Timing;
import org.understudy.replication.core.limit.Limits;
import org.understudy.replication.core.record.Recovered;

class RecoveryTest {
  private static final Recovery RECOVERY =
      new Recovery(
          new ReplicaSetup(
              new ReplicaId(1),
              List.of(new ReplicaId(1)),
              Recovered.NOTHING,
              1,
              Timing.of(Duration.ofMillis(50), Duration.ofMillis(400)),
              Limits.DEFAULTS,
              Rule.ALL));

  /** A replica that missed a recovery must not keep what it holds: the recovery may have lost it. */
  @Test
  void recoveryShowsBetweenEpochs() {
    long recovered = RECOVERY.epochAbove(40);
    assertTrue(Recovery.mayLieBetween(40, recovered));
    assertTrue(Recovery.mayLieBetween(5_000, recovered), "an epoch that the survivor did not know");
    assertTrue(Recovery.mayLieBetween(0, 3), "never in a view");
    assertFalse(Recovery.mayLieBetween(recovered, recovered + 2_000));
    assertFalse(Recovery.mayLieBetween(1, 40));
    assertTrue(Recovery.mayLieBetween(40, 39));
  }
}
