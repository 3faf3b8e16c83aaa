package org.understudy.replication.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.primarybackup.PrimaryBackup;

/** Histories by the thousand. One that fails names its seed and the command that replays it. */
class SeedTest {
  private static final long FIRST = Long.getLong("understudy.seed", 1);
  private static final int COUNT = Integer.getInteger("understudy.seeds", 6_000);

  @Test
  void threeReplicas() {
    run(3, COUNT);
  }

  @Test
  void otherSizes() {
    run(1, COUNT / 40);
    run(2, COUNT / 12);
    run(4, COUNT / 12);
    run(5, COUNT / 10);
  }

  /** A primary halts in the step in which it names replies of a new epoch; they are never sent. */
  @Test
  void repliesOfAStepThatThrowsAreNotReplies() {
    Simulation simulation = new Simulation(716_703, 3, new PrimaryBackup(), Rule.ALL);
    simulation.run();
    assertEquals(List.of(), simulation.history().violations());
  }

  @Test
  void equalSeedsGiveEqualHistories() {
    Simulation one = new Simulation(FIRST, 3, new PrimaryBackup(), Rule.ALL);
    Simulation two = new Simulation(FIRST, 3, new PrimaryBackup(), Rule.ALL);
    one.run();
    two.run();
    assertEquals(one.history().operations().toString(), two.history().operations().toString());
    assertTrue(one.history().operations().size() > 50, "a history with something in it");
  }

  private static void run(int size, int count) {
    Campaign campaign =
        new Campaign(size + " replicas", seed -> new Simulation(seed, size, new PrimaryBackup(), Rule.ALL));
    campaign.run(FIRST, FIRST + count - 1);
    System.out.println(campaign.progress());
    System.out.println(campaign.faults());
    campaign.violations().forEach((seed, violations) -> assertEquals("", violations.get(0) + ", seed " + seed + " with " + size
        + " replicas; all that happened in it: " + Simulate.replay(seed, size, Rule.ALL)));
  }
}
