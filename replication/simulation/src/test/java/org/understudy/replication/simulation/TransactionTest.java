package org.understudy.replication.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.understudy.replication.core.Rule;
import org.understudy.replication.simulation.transaction.TransactionSimulation;

/** Histories of transactions over three groups: all parts take effect or none, whatever dies, and nothing stays in doubt. */
class TransactionTest {
  private static final long FIRST = Long.getLong("understudy.seed", 1);
  private static final int COUNT = Integer.getInteger("understudy.transaction.seeds", 60);
  private static final int MAX_SEEDS = 4_000;
  private static final Map<Rule, Integer> KNOWN = Map.of(Rule.LIFE_BEFORE_TRANSACTION, 644);
  private static final Set<Rule> OF_LIVES = EnumSet.range(Rule.OTHER_LIFE_IS_UNKNOWN, Rule.LIFE_BEFORE_TRANSACTION);

  @Test
  void allPartsTakeEffectOrNone() {
    AtomicLong commits = new AtomicLong();
    AtomicLong kills = new AtomicLong();
    AtomicLong inherited = new AtomicLong();
    Map<Long, List<String>> violations = new ConcurrentSkipListMap<>();
    LongStream.range(FIRST, FIRST + COUNT).parallel().forEach(seed -> {
      TransactionSimulation simulation = new TransactionSimulation(seed, Rule.ALL);
      List<String> found = simulation.run();
      commits.addAndGet(simulation.commits());
      kills.addAndGet(simulation.kills());
      inherited.addAndGet(simulation.inherited());
      if (!found.isEmpty()) {
        violations.put(seed, found);
      }
    });
    System.out.printf(
        "%d seeds: %s transactions committed, %s replicas died, %s parts inherited in doubt%n", COUNT, commits, kills, inherited);
    assertEquals(new TreeMap<>(), new TreeMap<>(violations));
    assertTrue(commits.get() > 10L * COUNT, commits + " commits");
    assertTrue(kills.get() > COUNT, kills + " deaths");
    assertTrue(inherited.get() > COUNT / 4, inherited + " parts in doubt at a new primary");
  }

  /** What is prepared, and what is decided, survives a crash of all replicas of a group. */
  @Test
  void partsAndDecisionsAreInJournals() {
    AtomicLong deaths = new AtomicLong();
    Map<Long, List<String>> violations = new ConcurrentSkipListMap<>();
    LongStream.range(FIRST, FIRST + COUNT / 2).parallel().forEach(seed -> {
      TransactionSimulation simulation = new TransactionSimulation(seed, Rule.ALL).withJournals();
      List<String> found = simulation.run();
      deaths.addAndGet(simulation.groupDeaths());
      if (!found.isEmpty()) {
        violations.put(seed, found);
      }
    });
    assertEquals(new TreeMap<>(), new TreeMap<>(violations));
    assertTrue(deaths.get() > COUNT / 4, deaths + " deaths of a whole group");
  }

  /** All replicas of the group that coordinates lose its decisions with their memory: what is in doubt waits for an operator. */
  @Test
  void lostDecisionsAreNotTakenForAborts() {
    AtomicLong losses = new AtomicLong();
    AtomicLong decisions = new AtomicLong();
    Map<Long, List<String>> violations = new ConcurrentSkipListMap<>();
    LongStream.range(FIRST, FIRST + COUNT).parallel().forEach(seed -> {
      TransactionSimulation simulation = new TransactionSimulation(seed, Rule.ALL).losingCoordinators();
      List<String> found = simulation.run();
      losses.addAndGet(simulation.memoryLosses());
      decisions.addAndGet(simulation.operatorDecisions());
      if (!found.isEmpty()) {
        violations.put(seed, found);
      }
    });
    System.out.printf(
        "%d seeds: coordinators lost their memory %s times, operators decided %s parts%n", COUNT, losses, decisions);
    assertEquals(new TreeMap<>(), new TreeMap<>(violations));
    assertTrue(losses.get() > COUNT / 4, losses + " losses of memory");
    assertTrue(decisions.get() > COUNT / 20, decisions + " decisions of operators");
  }

  /** A group that coordinates is upgraded: some of its replicas know lives, and any of them may be the primary. */
  @Test
  void lifelessReplicasOfAnUpgradeLoseNoCommit() {
    AtomicLong without = new AtomicLong();
    AtomicLong commits = new AtomicLong();
    AtomicLong decisions = new AtomicLong();
    Map<Long, List<String>> violations = new ConcurrentSkipListMap<>();
    LongStream.range(FIRST, FIRST + COUNT / 2).parallel().forEach(seed -> {
      TransactionSimulation simulation = new TransactionSimulation(seed, Rule.ALL).upgrading();
      List<String> found = simulation.run();
      without.addAndGet(simulation.commitsWithoutLife());
      commits.addAndGet(simulation.commits());
      decisions.addAndGet(simulation.operatorDecisions());
      if (!found.isEmpty()) {
        violations.put(seed, found);
      }
    });
    System.out.printf(
        "%d seeds of upgrades: %s transactions committed, %s of them begun without a life, operators decided %s parts%n",
        COUNT / 2, commits, without, decisions);
    assertEquals(new TreeMap<>(), new TreeMap<>(violations));
    assertTrue(without.get() > COUNT, without + " commits begun by an older build");
    assertTrue(commits.get() - without.get() > COUNT, commits + " commits");
  }

  @Test
  void everyMutantIsCaught() {
    List<Rule> survivors = Rule.OF_TRANSACTIONS.stream().parallel().filter(rule -> !caught(rule)).toList();
    assertEquals(List.of(), survivors, "mutants that no checker noticed in " + MAX_SEEDS + " seeds each");
  }

  private static boolean caught(Rule rule) {
    OptionalLong caught =
        MutantSeeds.of(KNOWN.get(rule), MAX_SEEDS).filter(seed -> violation(rule, seed, Rule.allBut(rule)) != null).findFirst();
    caught.ifPresent(seed -> {
      assertNull(violation(rule, seed, Rule.ALL), "seed " + seed + " violates with all rules in force");
      System.out.printf("without %-30s caught by %-18s at seed %,5d%n", rule, violation(rule, seed, Rule.allBut(rule)), seed);
    });
    return caught.isPresent();
  }

  private static String violation(Rule tested, long seed, Set<Rule> rules) {
    try {
      TransactionSimulation simulation = new TransactionSimulation(seed, rules);
      List<String> violations = (OF_LIVES.contains(tested) ? simulation.losingCoordinators() : simulation).run();
      return violations.isEmpty() ? null : violations.get(0).substring(0, violations.get(0).indexOf(':'));
    } catch (RuntimeException e) {
      return "a broken invariant";
    }
  }
}
