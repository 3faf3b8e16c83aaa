package org.understudy.replication.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.understudy.replication.core.ReplicationStrategy;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.group.GroupReplication;
import org.understudy.replication.core.primarybackup.PrimaryBackup;

/**
 * Histories in which the links between replicas are long, uneven or narrow from beginning to end. They are as correct as all others, and
 * after the faults all replicas are in one view within a time that follows from the links.
 */
class SlowLinkTest {
  private static final long FIRST = Long.getLong("understudy.seed", 1);
  private static final int COUNT = Integer.getInteger("understudy.slow.seeds", 300);
  /** A quarter of the suspicion time: on longer links silence is suspected that is none. */
  private static final long LONGEST_DELAY_MS = 100;

  static List<ReplicationStrategy> strategies() {
    return List.of(new PrimaryBackup(), new GroupReplication());
  }

  private static Simulation slow(long seed, int size, ReplicationStrategy strategy, Set<Rule> rules) {
    return new Simulation(seed, size, strategy, rules).withSlowLinks(LONGEST_DELAY_MS);
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void allReplicasMeetInTime(ReplicationStrategy strategy) {
    run(3, COUNT, strategy);
    run(5, COUNT / 6, strategy);
  }

  private static void run(int size, int count, ReplicationStrategy strategy) {
    Campaign campaign = new Campaign(size + " replicas, slow links", seed -> slow(seed, size, strategy, Rule.ALL));
    campaign.run(FIRST, FIRST + count - 1);
    System.out.println(campaign.progress());
    campaign.violations().forEach((seed, violations) -> assertEquals("", violations.get(0) + ", seed " + seed + " of " + strategy.name()
        + " with " + size + " replicas; all that happened in it: scripts/simulate --delay " + LONGEST_DELAY_MS + " " + seed + " " + seed
        + " " + size));
  }

  @Test
  void aMutantIsCaught() {
    long seed = 10_568;
    assertEquals(List.of(), slow(seed, 3, new PrimaryBackup(), Rule.ALL).run());
    for (Rule rule : Rule.OF_SLOW_LINKS) {
      assertNotEquals(List.of(), slow(seed, 3, new PrimaryBackup(), Rule.allBut(rule)).run(), "the mutant without " + rule + " survives");
    }
  }
}
