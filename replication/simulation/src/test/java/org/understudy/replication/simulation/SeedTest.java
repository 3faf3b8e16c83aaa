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
    run(1, COUNT / 60);
    run(2, COUNT / 12);
    run(4, COUNT / 12);
    run(5, COUNT / 12);
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
    long operations = 0;
    long epochs = 0;
    for (long seed = FIRST; seed < FIRST + count; seed++) {
      Simulation simulation = new Simulation(seed, size, new PrimaryBackup(), Rule.ALL);
      List<String> violations = simulation.run();
      assertEquals(
          List.of(), violations,
          "seed " + seed + " with " + size + " replicas; all that happened in it, with the classes of replication on the"
              + " class path: java org.understudy.replication.simulation.Simulate " + seed + " " + seed + " " + size);
      operations += simulation.history().operations().size();
      epochs += simulation.history().epochs();
    }
    System.out.printf("%d replicas: %,d seeds from %d, %,d operations, %,d views with a primary, 0 violations%n",
        size, count, FIRST, operations, epochs);
  }
}
