package org.understudy.replication.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.understudy.replication.core.ReplicationStrategy;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.primarybackup.PrimaryBackup;

/** Histories of a service with a part of its state in a database: never half a request, never twice, whatever fails. */
class DatabaseTest {
  private static final long FIRST = Long.getLong("understudy.seed", 1);
  private static final int COUNT = Integer.getInteger("understudy.database.seeds", 300);
  private static final int MAX_SEEDS = 4_000;

  @Test
  void databaseAndReplicatedStateAgree() {
    run(3, new PrimaryBackup(), COUNT);
    run(2, new PrimaryBackup(), COUNT / 10);
    run(5, new PrimaryBackup(), COUNT / 10);
  }

  /** What is prepared survives a crash of all replicas, and the database tells which of it has committed. */
  @Test
  void preparedUpdatesAreInJournals() {
    run(
        new Campaign("database and journals", seed -> new Simulation(seed, 3, new PrimaryBackup(), Rule.ALL).withJournals().withDatabase()),
        COUNT / 4);
  }

  private static void run(int size, ReplicationStrategy strategy, int count) {
    run(new Campaign(size + " replicas, database", seed -> new Simulation(seed, size, strategy, Rule.ALL).withDatabase()), count);
  }

  private static void run(Campaign campaign, int count) {
    campaign.run(FIRST, FIRST + count - 1);
    System.out.println(campaign.progress());
    campaign.violations().forEach((seed, violations) -> assertEquals("", violations.get(0) + ", seed " + seed));
  }

  @Test
  void requestsCommitAndPrimariesFence() {
    Simulation simulation = new Simulation(FIRST, 3, new PrimaryBackup(), Rule.ALL).withDatabase();
    assertEquals(List.of(), simulation.run());
    assertTrue(simulation.database().commits() > 10, simulation.database().commits() + " commits");
    assertTrue(simulation.database().fences() > 1, simulation.database().fences() + " fences");
  }

  @Test
  void everyMutantIsCaught() {
    List<Rule> survivors = Rule.OF_DATABASE.stream().parallel().filter(rule -> !caught(rule)).toList();
    assertEquals(List.of(), survivors, "mutants that no checker noticed in " + MAX_SEEDS + " seeds each");
  }

  private static boolean caught(Rule rule) {
    for (int seed = 1; seed <= MAX_SEEDS; seed++) {
      String how = violation(seed, Rule.allBut(rule));
      if (how != null) {
        assertNull(violation(seed, Rule.ALL), "seed " + seed + " violates with all rules in force");
        System.out.printf("without %-28s caught by %-18s after %,5d seeds%n", rule, how, seed);
        return true;
      }
    }
    System.out.printf("without %-28s SURVIVES%n", rule);
    return false;
  }

  private static String violation(long seed, Set<Rule> rules) {
    try {
      List<String> violations = new Simulation(seed, 3, new PrimaryBackup(), rules).withDatabase().run();
      return violations.isEmpty() ? null : violations.get(0).substring(0, violations.get(0).indexOf(':'));
    } catch (RuntimeException e) {
      return "a broken invariant";
    }
  }
}
