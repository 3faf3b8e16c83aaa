package org.understudy.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.understudy.replication.core.ReplicationStrategy;
import org.understudy.replication.core.group.GroupReplication;
import org.understudy.replication.core.primarybackup.PrimaryBackup;
import org.understudy.replication.simulation.Campaign;

/** Histories of a service and its clients. One that fails names its seed and the command that replays it. */
class ServiceSeedTest {
  private static final long FIRST = Long.getLong("understudy.seed", 1);
  private static final int COUNT = Integer.getInteger("understudy.seeds", 200);

  @Test
  void threeReplicas() {
    run(3, new PrimaryBackup(), COUNT);
  }

  /** Any of them executes, also suspended executions and reads beside them. */
  @Test
  void threeReplicasOfAGroup() {
    run(3, new GroupReplication(), COUNT / 5);
  }

  @Test
  void otherSizes() {
    run(1, new PrimaryBackup(), COUNT / 20);
    run(2, new PrimaryBackup(), COUNT / 20);
    run(5, new PrimaryBackup(), COUNT / 20);
  }

  @Test
  void equalSeedsGiveEqualHistories() {
    ServiceSimulation one = new ServiceSimulation(FIRST, 3, new PrimaryBackup(), Mutant.NONE);
    ServiceSimulation two = new ServiceSimulation(FIRST, 3, new PrimaryBackup(), Mutant.NONE);
    one.run();
    two.run();
    assertEquals(one.history().operations().toString(), two.history().operations().toString());
    assertTrue(one.history().operations().size() > 50, "a history with something in it");
  }

  private static void run(int size, ReplicationStrategy strategy, int count) {
    Campaign campaign = SimulateService.campaign(size, strategy, Mutant.NONE);
    campaign.run(FIRST, FIRST + count - 1);
    System.out.println(campaign.progress());
    campaign.violations().forEach((seed, violations) -> assertEquals("", violations.get(0) + ", seed " + seed + " with " + size
        + " replicas; all that happened in it: " + SimulateService.replay(seed, size, strategy, Mutant.NONE)));
  }
}
