package org.understudy.replication.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.understudy.replication.core.Rule;
import org.understudy.replication.simulation.transaction.TransactionScenario;
import org.understudy.replication.simulation.transaction.TransactionSimulation;
import org.understudy.replication.simulation.transaction.TwoPhaseStep;

/**
 * Transactions over three groups that also change the groups' databases: both parts of each group take effect, or none does, and nothing
 * stays locked. Replicas die and pause, and databases restart, before and after each statement.
 */
class BranchTransactionTest {
  private static final long FIRST = Long.getLong("understudy.seed", 1);
  private static final int COUNT = Integer.getInteger("understudy.branch.seeds", 16);
  private static final RuleScenarios SCENARIOS = new RuleScenarios("branch-scenarios", Rule.OF_BRANCHES, 3);

  @Test
  void allPartsTakeEffectOrNone() {
    AtomicLong commits = new AtomicLong();
    AtomicLong inherited = new AtomicLong();
    AtomicLong restarts = new AtomicLong();
    Map<Long, List<String>> violations = new ConcurrentSkipListMap<>();
    LongStream.range(FIRST, FIRST + COUNT).parallel().forEach(seed -> {
      TransactionSimulation simulation = new TransactionSimulation(seed, Rule.ALL).withDatabases();
      if (seed % 4 == 0) {
        simulation.withJournals();
      }
      List<String> found = simulation.run();
      commits.addAndGet(simulation.commits());
      inherited.addAndGet(simulation.inherited());
      restarts.addAndGet(simulation.restarts());
      if (!found.isEmpty()) {
        violations.put(seed, found);
      }
    });
    System.out.printf(
        "%d seeds with databases: %s transactions committed, %s parts inherited in doubt, databases stopped %s times%n",
        COUNT, commits, inherited, restarts);
    assertEquals(new TreeMap<>(), new TreeMap<>(violations));
    assertTrue(commits.get() > 4L * COUNT, commits + " commits");
    assertTrue(inherited.get() > COUNT / 4, inherited + " parts in doubt at a new primary");
    assertTrue(restarts.get() > 3L * COUNT, restarts + " restarts");
  }

  /** A participant loses its memory, and keeps its database. Operators decide what is in doubt, some of it otherwise than coordinators. */
  @Test
  void lostVotesAndOperatorsAreShown() {
    AtomicLong losses = new AtomicLong();
    AtomicLong decisions = new AtomicLong();
    AtomicLong contradictions = new AtomicLong();
    Map<Long, List<String>> violations = new ConcurrentSkipListMap<>();
    LongStream.range(FIRST, FIRST + COUNT).parallel().forEach(seed -> {
      TransactionSimulation simulation = new TransactionSimulation(seed, Rule.ALL).withDatabases().losingMemories();
      if (seed % 2 == 0) {
        simulation.withForeignCoordinators();
      }
      if (seed % 4 < 3) {
        simulation.withHastyOperators();
      }
      List<String> found = simulation.run();
      losses.addAndGet(simulation.memoryLosses());
      decisions.addAndGet(simulation.operatorDecisions());
      contradictions.addAndGet(simulation.contradictions());
      if (!found.isEmpty()) {
        violations.put(seed, found);
      }
    });
    System.out.printf(
        "%d seeds: memories lost %s times, operators decided %s parts, %s of them against the coordinator%n",
        COUNT, losses, decisions, contradictions);
    assertEquals(new TreeMap<>(), new TreeMap<>(violations));
    assertTrue(losses.get() > COUNT / 2, losses + " losses of memory");
    assertTrue(decisions.get() > COUNT / 2, decisions + " decisions of operators");
    assertTrue(contradictions.get() > 0, contradictions + " contradictions");
  }

  /** The group that coordinates loses its memory and keeps its database, or a participant does. */
  @Test
  void lostDecisionsAreNotTakenForAborts() {
    AtomicLong losses = new AtomicLong();
    AtomicLong decisions = new AtomicLong();
    Map<Long, List<String>> violations = new ConcurrentSkipListMap<>();
    LongStream.range(FIRST, FIRST + COUNT).parallel().forEach(seed -> {
      TransactionSimulation simulation = new TransactionSimulation(seed, Rule.ALL).withDatabases().losingCoordinators();
      if (seed % 2 == 0) {
        simulation.losingMemories();
      }
      List<String> found = simulation.run();
      losses.addAndGet(simulation.memoryLosses());
      decisions.addAndGet(simulation.operatorDecisions());
      if (!found.isEmpty()) {
        violations.put(seed, found);
      }
    });
    System.out.printf("%d seeds: memories lost %s times, operators decided %s parts%n", COUNT, losses, decisions);
    assertEquals(new TreeMap<>(), new TreeMap<>(violations));
    assertTrue(losses.get() > COUNT / 2, losses + " losses of memory");
    assertTrue(decisions.get() > 0, decisions + " decisions of operators");
  }

  // ---- each rule by a scenario

  static List<Path> scenarios() throws IOException {
    return SCENARIOS.files();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("scenarios")
  void passesOnlyWithItsRule(Path scenario) throws IOException {
    SCENARIOS.assertPassesOnlyWithItsRule(scenario);
  }

  @Test
  void everyRuleHasItsScenario() throws IOException {
    SCENARIOS.assertEveryRuleHasOne();
  }

  // ---- each moment once

  /** A transaction with parts in three databases, and another one that changes the same values. */
  private static List<String> story(String fault) {
    return List.of(
        "each group has a database", fault, "transaction T begins", "transaction T changes k0 in group 0",
        "transaction T changes d0 in group 0", "transaction T changes k0 in group 1", "transaction T changes d0 in group 1",
        "transaction T changes d0 in group 2", "transaction T commits", "transaction T is answered", "2500 ms pass", "transaction U begins",
        "transaction U changes d0 in group 1", "transaction U changes d0 in group 2", "transaction U commits", "transaction U is answered",
        "1200 ms pass");
  }

  /** The steps that happen only after a loss, or not always. */
  private static final Set<TwoPhaseStep> RARE =
      EnumSet.of(TwoPhaseStep.ABORT, TwoPhaseStep.QUESTION, TwoPhaseStep.STATUS, TwoPhaseStep.FENCE, TwoPhaseStep.NONE_LOST);

  private static List<String> faults() {
    List<String> faults = new ArrayList<>();
    for (TwoPhaseStep step : TwoPhaseStep.values()) {
      for (String moment : List.of("before", "after")) {
        if (!RARE.contains(step) && !step.isOfOperator()) {
          int group = step.isOfCoordinator() ? 0 : 1;
          for (String happens : List.of("dies", "is unheard in its group", "pauses")) {
            faults.add("the primary of group " + group + " " + happens + " " + moment + " its " + step);
          }
          if (step.isOfDatabase() || step.isEntry()) {
            faults.add("the database of group " + group + " restarts " + moment + " its " + step);
          }
        }
      }
    }
    return faults;
  }

  /** The primary dies, is unheard or pauses, or its database restarts. */
  @Test
  void everyMoment() {
    assertNoViolation(faults().stream().map(BranchTransactionTest::story).toList());
  }

  /** A participant loses its memory; its coordinator can answer it, or only an operator can look there. */
  @Test
  void everyMomentOfALossOfMemory() {
    List<List<String>> stories = new ArrayList<>();
    for (TwoPhaseStep step : TwoPhaseStep.values()) {
      for (String moment : List.of("before", "after")) {
        if (!RARE.contains(step) && !step.isOfOperator() && !step.isOfCoordinator()) {
          List<String> story = story("all replicas of group 1 lose their memory " + moment + " its " + step);
          stories.add(story);
          List<String> foreign = new ArrayList<>(story);
          foreign.add(1, "coordinators are no groups");
          stories.add(foreign);
        }
      }
    }
    assertNoViolation(stories);
  }

  /** The group that coordinates loses its memory; a participant a moment later, or no other. */
  @Test
  void everyMomentOfALossOfTheCoordinator() {
    List<List<String>> stories = new ArrayList<>();
    for (TwoPhaseStep step : TwoPhaseStep.values()) {
      for (String moment : List.of("before", "after")) {
        if (!RARE.contains(step) && step.isOfCoordinator()) {
          List<String> story = new ArrayList<>(story("all replicas of group 0 lose their memory " + moment + " its " + step));
          // Its client does not learn the outcome.
          story.remove("transaction T is answered");
          stories.add(story);
          List<String> both = new ArrayList<>(story);
          both.addAll(story.indexOf("transaction T commits") + 1, List.of("300 ms pass", "all replicas of group 1 lose their memory"));
          stories.add(both);
        }
      }
    }
    assertNoViolation(stories);
  }

  private static void assertNoViolation(List<List<String>> stories) {
    Map<String, List<String>> violations = new ConcurrentSkipListMap<>();
    IntStream.range(0, stories.size()).parallel().forEach(i -> {
      List<String> found = TransactionScenario.play(stories.get(i), FIRST + i, Rule.ALL);
      if (!found.isEmpty()) {
        violations.put(stories.get(i).subList(1, 3).toString(), found);
      }
    });
    assertEquals(new TreeMap<>(), new TreeMap<>(violations));
  }
}
