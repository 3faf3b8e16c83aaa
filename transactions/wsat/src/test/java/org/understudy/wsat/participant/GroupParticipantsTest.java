package org.understudy.wsat.participant;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Kills each replica at each step between two messages. Replica 1 is the primary, and 3 the next one, which may be unregistered. */
class GroupParticipantsTest {
  private static final Set<Integer> ALL = Set.of(1, 2, 3);
  private static final Set<Integer> WITHOUT_NEXT = Set.of(1, 2);

  static Stream<Arguments> deaths() {
    return Stream.of(ALL, WITHOUT_NEXT).flatMap(
        registered -> Arrays.stream(Failpoint.values()).flatMap(
            step -> registered.stream().sorted().flatMap(
                victim -> Stream.of(true, false).map(commit -> Arguments.of(registered, step, victim, commit)))));
  }

  @ParameterizedTest
  @MethodSource("deaths")
  void aDeathAtAnyStepLeavesWhatTheCoordinatorDecided(Set<Integer> registered, Failpoint step, int victim, boolean commit) {
    TestGroup group = new TestGroup(registered);
    group.killAt(step, victim);
    group.coordinate(commit);
    group.recover();
    assertFalse(group.isInDoubt(), "the survivors finish it");
    assertNotEquals(!group.decided, group.outcome, "the decision of the coordinator");
    if (group.decided) {
      assertEquals(true, group.outcome);
    }
    if (!group.alive.containsKey(victim)) {
      group.start(victim);
    }
    group.recover();
    assertFalse(group.isUnacknowledged(), "all are acknowledged");
  }

  @ParameterizedTest
  @MethodSource("deaths")
  void aCoordinatorThatHaltsBeforeItsDecisionAborts(Set<Integer> registered, Failpoint step, int victim, boolean commit) {
    TestGroup group = new TestGroup(registered);
    group.killAt(step, victim);
    String first = GroupParticipants.PREFIX + 1;
    try {
      group.alive.get(1).prepare(first);
    } catch (TestGroup.Killed e) {
      assertEquals(1, victim);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    group.haltCoordinator();
    group.recover();
    assertFalse(group.isInDoubt());
    assertNotEquals(true, group.outcome);
  }

  @Test
  void thePathsAreTaken() {
    Set<Failpoint> reached = new HashSet<>();
    for (Failpoint step : Failpoint.values()) {
      for (boolean commit : List.of(true, false)) {
        TestGroup group = new TestGroup(ALL);
        group.killAt(step, 2);
        group.coordinate(commit);
        if (!group.alive.containsKey(2)) {
          reached.add(step);
        }
      }
    }
    assertEquals(Set.of(Failpoint.values()), reached);
    TestGroup undisturbed = new TestGroup(ALL);
    undisturbed.coordinate(true);
    assertEquals(true, undisturbed.outcome);
    assertFalse(undisturbed.isUnacknowledged());
    undisturbed = new TestGroup(ALL);
    undisturbed.coordinate(false);
    assertEquals(false, undisturbed.outcome);
  }

  @Test
  void aDecisionThatContradictsAnOperatorIsNotAcknowledged() {
    TestGroup group = new TestGroup(ALL);
    group.operator = false;
    group.coordinate(true);
    assertTrue(group.isUnacknowledged());
    assertEquals(Set.of("understudy-1", "understudy-2", "understudy-3"), group.contradicted);
    assertEquals(false, group.outcome);
  }

  /** What the group does not know may be prepared in its database. Narayana would acknowledge a decision about it. */
  @Test
  void aGroupThatHasLostItsMemoryAnswersNothingAboutUnknownParticipants() throws Exception {
    TestGroup group = new TestGroup(ALL);
    String unknown = GroupParticipants.PREFIX + "unknown";
    for (boolean known : List.of(true, false)) {
      group.knowsVotes = known;
      for (GroupParticipants replica : group.alive.values()) {
        assertEquals(!known, replica.prepare(unknown));
        assertEquals(!known, replica.decide(unknown, true));
        assertEquals(!known, replica.decide(unknown, false));
      }
    }
  }

  @Test
  void aRegistrationIsReadAsItWasWritten() throws Exception {
    Registration registration =
        new Registration("urn:t", Map.of(1, new Registration.Member("understudy-a", "<a/>"), 64, new Registration.Member("b", "ü")));
    assertEquals(registration, Registration.decoded("urn:t", registration.encoded()));
    assertEquals("understudy-a", registration.memberFor(1).id());
    assertEquals("understudy-a", registration.memberFor(2).id(), "another one's");
    assertThrows(IOException.class, () -> Registration.decoded("urn:t", new byte[] {2, 1}));
    assertThrows(IOException.class, () -> Registration.decoded("urn:t", new byte[0]));
    GroupPart part = new GroupPart();
    part.registered("urn:t", registration.encoded());
    assertTrue(part.ofParticipant("b").members().containsKey(64));
    part.ended("urn:t");
    assertNull(part.ofParticipant("b"));
  }
}
