package org.understudy.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.understudy.replication.core.ReplicationStrategy;
import org.understudy.replication.core.group.GroupReplication;
import org.understudy.replication.core.primarybackup.PrimaryBackup;
import org.understudy.replication.simulation.MutantSeeds;

/** The net has no holes: with any one rule of the container or of a client broken, a checker notices. */
class ServiceMutantTest {
  private static final int MAX_SEEDS = 2_000;
  /** Of mutants that few seeds need. */
  private static final Map<Mutant, Integer> KNOWN = Map.of(Mutant.FORWARD_TELLS_LAST_REFUSAL, 173);

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
    OptionalLong caught =
        MutantSeeds.of(KNOWN.get(mutant), MAX_SEEDS).filter(seed -> violation(seed, strategy, mutant) != null).findFirst();
    caught.ifPresent(seed -> {
      assertNull(violation(seed, strategy, Mutant.NONE), "seed " + seed + " violates with nothing broken");
      System.out.printf("%-30s caught by %-18s at seed %,5d, %s%n", mutant, violation(seed, strategy, mutant), seed, strategy.name());
    });
    return caught.isPresent();
  }

  private static String violation(long seed, ReplicationStrategy strategy, Mutant mutant) {
    try {
      List<String> violations = new ServiceSimulation(seed, 3, strategy, mutant).run();
      return violations.isEmpty() ? null : violations.get(0).substring(0, violations.get(0).indexOf(':'));
    } catch (RuntimeException | StackOverflowError e) {
      return "broken invariant: " + e;
    }
  }
}
