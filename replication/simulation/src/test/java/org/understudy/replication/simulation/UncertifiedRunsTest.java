package org.understudy.replication.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.group.GroupReplication;

/**
 * What happens to a resource between a run at this replica and its certification (Bartoli et al. 2005, section 3.2.4): it is
 * marked, so other local updates wait, or each run has a copy. ADR 37 compares them.
 */
class UncertifiedRunsTest {
  private static final int SEEDS = 40;

  private record Cost(long updates, long runs, long waits) {
    double runsAnUpdate() {
      return (double) runs / updates;
    }
  }

  private static Cost cost(boolean copies, int size) {
    long updates = 0;
    long runs = 0;
    long waits = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
      Simulation simulation = new Simulation(seed, size, new GroupReplication(), Rule.ALL);
      assertEquals(List.of(), (copies ? simulation.copying() : simulation).run(), "seed " + seed + ", copies: " + copies);
      updates += simulation.work().updates;
      runs += simulation.work().runs;
      waits += simulation.work().waits;
    }
    System.out.printf(
        "%d replicas, %s: %,d updates, %.3f runs an update, %,d requests waited%n",
        size, copies ? "a copy for each run" : "marked resources", updates, (double) runs / updates, waits);
    return new Cost(updates, runs, waits);
  }

  /** Both are safe, because certification decides. A mark costs waiting; a copy costs runs that are refused. */
  @Test
  void marksWaitAndCopiesRunAgain() {
    for (int size : List.of(1, 3)) {
      Cost marks = cost(false, size);
      Cost copies = cost(true, size);
      assertTrue(marks.waits() > 0);
      assertEquals(0, copies.waits());
      assertTrue(marks.runsAnUpdate() < copies.runsAnUpdate(), marks + " " + copies);
    }
  }

  /** Without certification, updates of two runs on copies would be lost even at one replica; a mark prevents that. */
  @Test
  void copiesRestOnCertification() {
    Set<Rule> uncertified = Rule.allBut(Rule.CERTIFY_EVERY_VERSION);
    boolean marks = false;
    boolean copies = false;
    for (int seed = 1; seed <= SEEDS; seed++) {
      marks |= !new Simulation(seed, 1, new GroupReplication(), uncertified).run().isEmpty();
      copies |= !new Simulation(seed, 1, new GroupReplication(), uncertified).copying().run().isEmpty();
    }
    assertFalse(marks, "one replica with marks executes one run after the other");
    assertTrue(copies);
  }
}
