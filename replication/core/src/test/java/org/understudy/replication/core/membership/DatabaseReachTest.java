package org.understudy.replication.core.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
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

/** Whether a primary of three gives way, with a suspicion time of 500 ms. */
class DatabaseReachTest {
  private static final ReplicaId ONE = new ReplicaId(1);
  private static final ReplicaId TWO = new ReplicaId(2);
  private static final ReplicaId THREE = new ReplicaId(3);

  private final DatabaseReach reach =
      new DatabaseReach(
          new ReplicaSetup(
              ONE, List.of(ONE, TWO, THREE), Recovered.NOTHING, 7, Timing.of(Duration.ofMillis(50), Duration.ofMillis(500)),
              Limits.DEFAULTS, Rule.ALL));

  private boolean givesWay(long millis) {
    long now = millis * 1_000_000;
    reach.tick(now);
    return reach.givesWay(now);
  }

  private void told(long millis, ReplicaId from, boolean reached) {
    reach.told(millis * 1_000_000, from, reached);
  }

  private void lose() {
    reach.seen(true);
    told(0, TWO, true);
    told(0, THREE, false);
    reach.seen(false);
  }

  @Test
  void oneThatReachesTheDatabaseAndAMajorityOfOthersSuffice() {
    lose();
    assertTrue(reach.isLost());
    assertTrue(givesWay(0));
    reach.seen(true);
    assertFalse(givesWay(1), "it answers again");
  }

  @Test
  void whereNobodyReachesTheDatabaseNobodyGivesWay() {
    lose();
    told(1, TWO, false);
    assertFalse(givesWay(1));
  }

  @Test
  void withoutAMajorityOfOthersThereWouldBeNoView() {
    lose();
    told(501, TWO, true);
    assertFalse(givesWay(501), "replica 3 is silent");
  }

  @Test
  void whatOthersCannotDoInTimeIsNotWaitedFor() {
    lose();
    for (long millis = 1_000; millis < 13_000; millis += 100) {
      told(millis, TWO, true);
      told(millis, THREE, true);
      assertEquals((millis - 1_000) / 3_000 % 2 == 0, givesWay(millis), "at " + millis + " ms");
    }
  }

  @Test
  void anotherViewBeginsAnew() {
    lose();
    assertTrue(givesWay(0));
    reach.clear();
    assertFalse(givesWay(1));
  }
}
