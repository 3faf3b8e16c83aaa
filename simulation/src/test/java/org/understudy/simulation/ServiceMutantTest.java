package org.understudy.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.understudy.replication.core.ReplicationStrategy;
import org.understudy.replication.core.group.GroupReplication;
import org.understudy.replication.core.primarybackup.PrimaryBackup;

/** The net has no holes: with any one rule of the container or of a client broken, a checker notices. */
class ServiceMutantTest {
  private static final int MAX_SEEDS = 2_000;

  @Test
  void everyMutantIsCaught() {
    List<Mutant> survivors =
        Arrays.stream(Mutant.values())
            .filter(mutant -> mutant != Mutant.NONE)
            .parallel()
            .filter(mutant -> !caught(new PrimaryBackup(), mutant))
            .toList();
    assertEquals(List.of(), survivors, "mutants that no checker noticed in " + MAX_SEEDS + " seeds each");
  }

  @ParameterizedTest
  @EnumSource(names = {"OLD_COPY", "LOCK_RELEASED_BEFORE_DECISION"})
  void mutantOfRunsIsCaughtInAGroup(Mutant mutant) {
    assertTrue(caught(new GroupReplication(), mutant));
  }

  private static boolean caught(ReplicationStrategy strategy, Mutant mutant) {
    for (int seed = 1; seed <= MAX_SEEDS; seed++) {
      List<String> found = run(seed, strategy, mutant);
      if (!found.isEmpty()) {
        assertTrue(run(seed, strategy, Mutant.NONE).isEmpty(), "seed " + seed + " violates with nothing broken");
        String how = found.get(0).substring(0, found.get(0).indexOf(':'));
        System.out.printf("%-30s caught by %-18s after %,5d seeds, %s%n", mutant, how, seed, strategy.name());
        return true;
      }
    }
    System.out.printf("%-30s SURVIVES%n", mutant);
    return false;
  }

  private static List<String> run(long seed, ReplicationStrategy strategy, Mutant mutant) {
    try {
      return new ServiceSimulation(seed, 3, strategy, mutant).run();
    } catch (RuntimeException | StackOverflowError e) {
      return List.of("broken invariant: " + e);
    }
  }
}
