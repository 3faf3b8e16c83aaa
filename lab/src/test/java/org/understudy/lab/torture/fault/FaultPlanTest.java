package org.understudy.lab.torture.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class FaultPlanTest {
  private static final Duration TIME = Duration.ofMinutes(10);

  @Test
  void theSeedFixesThePlan() {
    assertEquals(FaultPlan.of(7, 3, TIME, List.of()), FaultPlan.of(7, 3, TIME, List.of()));
    assertNotEquals(FaultPlan.of(7, 3, TIME, List.of()), FaultPlan.of(8, 3, TIME, List.of()));
  }

  @Test
  void everyKindOccursAndTheTimeIsKept() {
    for (int replicas = 3; replicas <= 9; replicas++) {
      List<Fault> plan = FaultPlan.of(replicas, replicas, TIME, List.of());
      assertEquals(FaultKind.USUAL, plan.stream().map(Fault::kind).collect(Collectors.toSet()));
      Duration sum = plan.stream().map(fault -> fault.length().plus(fault.quiet())).reduce(Duration.ZERO, Duration::plus);
      assertTrue(sum.compareTo(TIME) < 0, sum.toString());
      for (Fault fault : plan) {
        assertTrue(fault.size() * 2 < replicas, "a split cuts a minority off: " + fault);
        assertTrue(fault.length().toMillis() >= 500 && fault.length().toMillis() <= 30_000, fault.toString());
      }
    }
  }

  @Test
  void faultsOfADatabaseOccurOnlyIfTheyAreChosen() {
    assertTrue(FaultKind.USUAL.stream().noneMatch(FaultKind.OF_DATABASE::contains));
    List<Fault> plan = FaultPlan.of(1, 3, TIME, List.copyOf(FaultKind.OF_DATABASE));
    assertEquals(FaultKind.OF_DATABASE, plan.stream().map(Fault::kind).collect(Collectors.toSet()));
  }

  @Test
  void powerIsLostByOneReplicaOrByAll() {
    assertTrue(!FaultKind.USUAL.contains(FaultKind.POWER_LOSS), "it needs a journal");
    List<Fault> plan = FaultPlan.of(1, 5, TIME, List.of(FaultKind.POWER_LOSS));
    assertEquals(Set.of(1, 5), plan.stream().map(Fault::parameter).collect(Collectors.toSet()));
    assertTrue(plan.stream().map(Fault::describe).anyMatch(text -> text.startsWith("power-loss    power loss at all replicas for ")));
  }

  @Test
  void onlyTheChosenKinds() {
    List<Fault> plan = FaultPlan.of(1, 3, TIME, List.of(FaultKind.PAUSE, FaultKind.KILL));
    assertEquals(Set.of(FaultKind.PAUSE, FaultKind.KILL), plan.stream().map(Fault::kind).collect(Collectors.toSet()));
    assertEquals(1, FaultPlan.of(1, 3, Duration.ofMillis(1), List.of()).size(), "there is one at least");
  }

  @Test
  void thePrimaryOfTheTimeComesFirst() {
    Fault fault = new Fault(FaultKind.PAUSE, List.of(2, 1, 3), true, 1, 0, Duration.ofSeconds(1), Duration.ZERO);
    assertEquals(List.of(3, 1, 2), fault.order(3));
    assertEquals("pause         SIGSTOP primary for 1.0 s", fault.describe());
    assertEquals("pause         SIGSTOP 3 for 1.0 s", fault.describe(3));
  }

  @Test
  void thePlanFixesAStorm() {
    Fault fault = new Fault(FaultKind.STORM, List.of(2, 1, 3), true, 1, 200, Duration.ofSeconds(1), Duration.ZERO);
    Storm one = new Storm(fault, 3);
    Storm other = new Storm(fault, 3);
    boolean cut = false;
    boolean stopped = false;
    for (int phase = 0; phase < 50; phase++) {
      Set<Links.Link> links = one.links().cut();
      assertEquals(links, other.links().cut());
      Set<Integer> victims = one.stopped(2);
      assertEquals(victims, other.stopped(2));
      assertTrue(!victims.contains(2));
      cut |= !links.isEmpty();
      stopped |= !victims.isEmpty();
    }
    assertTrue(cut && stopped);
  }
}
