package org.understudy.replication.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.understudy.replication.core.ReplicationStrategy;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.group.GroupReplication;
import org.understudy.replication.core.primarybackup.PrimaryBackup;

/** Replicas with journals survive that all of them crash at once, and lose nothing that they acknowledged. */
class JournalTest {
  private static final int SEEDS = Integer.getInteger("understudy.journal.seeds", 150);
  private static final int MAX_SEEDS = 2_000;

  static List<ReplicationStrategy> strategies() {
    return List.of(new PrimaryBackup(), new GroupReplication());
  }

  /** The journal of both strategies is the same, and so is most of the order. */
  private static int seeds(ReplicationStrategy strategy) {
    return strategy instanceof GroupReplication ? SEEDS / 5 : SEEDS;
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void noSeedLosesWhatWasAcknowledged(ReplicationStrategy strategy) {
    for (int seed = 1; seed <= seeds(strategy); seed++) {
      assertEquals(List.of(), journaled(seed, strategy, Rule.ALL).run(), "seed " + seed + " of " + strategy.name());
    }
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void noGroupStartsEmptyWhileAReplicaHasItsState(ReplicationStrategy strategy) {
    for (int seed = 1; seed <= seeds(strategy); seed++) {
      assertEquals(List.of(), journaled(seed, strategy, Rule.ALL).startingEmpty().run(), "seed " + seed + " of " + strategy.name());
    }
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void everyMutantIsCaught(ReplicationStrategy strategy) {
    for (Rule rule : Rule.OF_JOURNAL) {
      assertTrue(isCaught(strategy, rule), "The mutant of " + strategy.name() + " without " + rule + " survives.");
    }
  }

  private static boolean isCaught(ReplicationStrategy strategy, Rule rule) {
    for (int seed = 1; seed <= MAX_SEEDS; seed++) {
      if (!journaled(seed, strategy, Rule.allBut(rule)).run().isEmpty()) {
        System.out.printf("%s without %-28s caught after %,5d seeds%n", strategy.name(), rule, seed);
        return true;
      }
    }
    return false;
  }

  private static Simulation journaled(long seed, ReplicationStrategy strategy, Set<Rule> rules) {
    return new Simulation(seed, 3, strategy, rules).withJournals();
  }
}
