package org.understudy.replication.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.understudy.replication.core.ReplicationStrategy;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.primarybackup.PrimaryBackup;
import org.understudy.replication.simulation.checker.Action;
import org.understudy.replication.simulation.checker.Operation;

/** Histories of a service with a part of its state in a database: never half a request, never twice, whatever fails. */
class DatabaseTest {
  private static final long FIRST = Long.getLong("understudy.seed", 1);
  private static final int COUNT = Integer.getInteger("understudy.database.seeds", 300);
  private static final int MAX_SEEDS = 4_000;
  private static final int COUNTED = 50;
  private static final long SECOND = 1_000_000_000L;
  private static final Set<Rule> OF_ONE_PHASE = EnumSet.of(Rule.ANSWER_AFTER_COMMIT, Rule.RECALL_BEFORE_SERVING);

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

  /** What changes only the database commits in one phase, beside updates that are prepared in the log. */
  @Test
  void updatesOfTheDatabaseAloneAreExecutedOnce() {
    run(
        new Campaign(
            "database only", seed -> new Simulation(seed, 3, new PrimaryBackup(), Rule.ALL).withDatabase("shared0", "shared1")),
        COUNT);
    run(
        new Campaign("database and more", seed -> new Simulation(seed, 3, new PrimaryBackup(), Rule.ALL).withDatabase("shared0")),
        COUNT / 3);
  }

  /** All replicas lose their memory, and a client repeats its request. */
  @Test
  void rowsOutliveTheMemoryOfAllReplicas() {
    assertEquals(1, commitsAfterTotalRestart(Rule.ALL));
    assertEquals(2, commitsAfterTotalRestart(Rule.allBut(Rule.ROWS_KEEP_IDENTITIES)));
  }

  private static int commitsAfterTotalRestart(Set<Rule> rules) {
    Simulation simulation =
        Simulation.scripted(FIRST, 3, new PrimaryBackup(), rules).startingEmpty().withDatabase("shared0", "shared1");
    for (int number = 1; number <= 3; number++) {
      simulation.replica(number).start();
    }
    World world = simulation.world();
    await(simulation, "a view of all", () -> simulation.primaryBut(0) != 0);
    SimulatedClient client = simulation.client(SimulatedClient.Manner.MESSAGE_ID);
    client.startScripted();
    Operation first = client.ask(Action.ADD, 0, null, 5);
    await(simulation, "an answer", () -> first.end() == Operation.End.RETURNED);
    Operation last = client.ask(Action.ADD, 0, null, 7);
    await(simulation, "an answer", () -> last.end() == Operation.End.RETURNED);
    Operation later = simulation.client(SimulatedClient.Manner.MESSAGE_ID).ask(Action.ADD, 1, null, 1);
    await(simulation, "an answer", () -> later.end() == Operation.End.RETURNED);
    world.runUntil(world.now() + 5 * SECOND);
    for (int number = 1; number <= 3; number++) {
      simulation.replica(number).crash(false);
    }
    for (int number = 1; number <= 3; number++) {
      simulation.replica(number).start();
    }
    await(simulation, "a view of all", () -> simulation.primaryBut(0) != 0);
    client.repeatLastUpdate();
    world.runUntil(world.now() + 5 * SECOND);
    return (int) simulation.database().commitsOfWhole().stream().filter(commit -> commit.operation() == last.number()).count();
  }

  private static void await(Simulation simulation, String what, BooleanSupplier condition) {
    World world = simulation.world();
    long end = world.now() + 60 * SECOND;
    while (!condition.getAsBoolean()) {
      assertTrue(world.now() < end, what);
      world.runUntil(world.now() + SECOND / 100);
    }
  }

  /** What the histories are about happens in them: one alone may have links that deliver late, and few commits. */
  @Test
  void requestsCommitAndPrimariesFence() {
    int commits = 0;
    int fences = 0;
    for (long seed = FIRST; seed < FIRST + COUNTED; seed++) {
      Simulation simulation = new Simulation(seed, 3, new PrimaryBackup(), Rule.ALL).withDatabase();
      assertEquals(List.of(), simulation.run(), "seed " + seed);
      commits += simulation.database().commits();
      fences += simulation.database().fences();
    }
    assertTrue(commits > 10 * COUNTED, commits + " commits in " + COUNTED + " histories");
    assertTrue(fences > 2 * COUNTED, fences + " fences in " + COUNTED + " histories");
  }

  @Test
  void everyMutantIsCaught() {
    Set<Rule> rules = EnumSet.copyOf(Rule.OF_DATABASE);
    rules.removeAll(OF_ONE_PHASE);
    rules.remove(Rule.ROWS_KEEP_IDENTITIES);
    List<Rule> survivors = rules.stream().parallel().filter(rule -> !caught(rule)).toList();
    assertEquals(List.of(), survivors, "mutants that no checker noticed in " + MAX_SEEDS + " seeds each");
  }

  /** The rules of updates that commit in one phase, and those on which they rest too. */
  @Test
  void everyMutantWithoutTheLogIsCaught() {
    Set<Rule> rules = EnumSet.copyOf(OF_ONE_PHASE);
    rules.addAll(
        Set.of(
            Rule.EPOCH_IN_TRANSACTION, Rule.FENCE_AT_PROMOTION, Rule.RESOLVE_EXCLUDES_LATE_COMMIT, Rule.SERVE_AFTER_FENCE,
            Rule.FORGET_WHEN_MARKED));
    List<Rule> survivors = rules.stream().parallel().filter(rule -> !caught(rule, "shared0", "shared1")).toList();
    assertEquals(List.of(), survivors, "mutants that no checker noticed in " + MAX_SEEDS + " seeds each");
  }

  private static boolean caught(Rule rule, String... whole) {
    for (int seed = 1; seed <= MAX_SEEDS; seed++) {
      String how = violation(seed, Rule.allBut(rule), whole);
      if (how != null) {
        assertNull(violation(seed, Rule.ALL, whole), "seed " + seed + " violates with all rules in force");
        System.out.printf("without %-28s caught by %-18s after %,5d seeds%n", rule, how, seed);
        return true;
      }
    }
    System.out.printf("without %-28s SURVIVES%n", rule);
    return false;
  }

  private static String violation(long seed, Set<Rule> rules, String... whole) {
    try {
      List<String> violations = new Simulation(seed, 3, new PrimaryBackup(), rules).withDatabase(whole).run();
      return violations.isEmpty() ? null : violations.get(0).substring(0, violations.get(0).indexOf(':'));
    } catch (RuntimeException e) {
      return "a broken invariant";
    }
  }
}
