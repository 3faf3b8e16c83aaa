package org.understudy.replication.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.primarybackup.PrimaryBackup;

/** Replicas with journals survive that all of them crash at once, and lose nothing that they acknowledged. */
class JournalTest {
  private static final int SEEDS = Integer.getInteger("understudy.journal.seeds", 150);
  private static final int MAX_SEEDS = 2_000;

  @Test
  void noSeedLosesWhatWasAcknowledged() {
    for (int seed = 1; seed <= SEEDS; seed++) {
      assertEquals(List.of(), violations(seed, Rule.ALL), "seed " + seed);
    }
  }

  @Test
  void noGroupStartsEmptyWhileAReplicaHasItsState() {
    for (int seed = 1; seed <= SEEDS; seed++) {
      assertEquals(List.of(), journaled(seed, Rule.ALL).startingEmpty().run(), "seed " + seed);
    }
  }

  @Test
  void everyMutantIsCaught() {
    for (Rule rule : Rule.OF_JOURNAL) {
      assertTrue(isCaught(rule), "The mutant without " + rule + " survives.");
    }
  }

  private static boolean isCaught(Rule rule) {
    for (int seed = 1; seed <= MAX_SEEDS; seed++) {
      if (!violations(seed, Rule.allBut(rule)).isEmpty()) {
        System.out.printf("without %-26s caught after %,5d seeds%n", rule, seed);
        return true;
      }
    }
    return false;
  }

  private static List<String> violations(long seed, Set<Rule> rules) {
    return journaled(seed, rules).run();
  }

  private static Simulation journaled(long seed, Set<Rule> rules) {
    return new Simulation(seed, 3, new PrimaryBackup(), rules).withJournals();
  }
}
