package org.understudy.replication.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.Duty;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.RequestClass;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Assignment;
import org.understudy.replication.core.Role;
import org.understudy.replication.runtime.routing.AssignedDuties;
import org.understudy.replication.runtime.routing.AssignedRouting;
import org.understudy.replication.runtime.routing.DutyListener;
import org.understudy.replication.runtime.routing.Standing;

class RoutingAndDutiesTest {
  private static final ReplicaId SELF = new ReplicaId(1);
  private static final ReplicaId OTHER = new ReplicaId(2);
  private static final View OURS = new View(3, List.of(SELF, OTHER));
  private static final View THEIRS = new View(4, List.of(OTHER, SELF));
  private static final View WITHOUT = new View(5, List.of(OTHER));

  private final AtomicReference<Standing> standing = new AtomicReference<>(Standing.START);
  private final AssignedRouting routing = new AssignedRouting(SELF, standing::get);
  private final AssignedDuties duties = new AssignedDuties(SELF, standing::get);
  private final List<String> heard = new ArrayList<>();

  private void become(Role role, Assignment assignment) {
    standing.set(new Standing(role, assignment));
    duties.changed(standing.get());
  }

  private void listen() {
    duties.listen(Duty.DELIVER_NOTIFICATIONS, new DutyListener() {
      @Override
      public void begins(long epoch) {
        heard.add("begins " + epoch);
      }

      @Override
      public void ends() {
        heard.add("ends");
      }
    });
  }

  @Test
  void primaryServesAllAndBackupServesReads() {
    become(Role.PRIMARY, Assignment.ofPrimary(OURS));
    assertTrue(routing.serves(RequestClass.UPDATE));
    assertFalse(routing.isElsewhere(RequestClass.UPDATE));
    become(Role.BACKUP, Assignment.ofPrimary(THEIRS));
    assertFalse(routing.serves(RequestClass.UPDATE));
    assertTrue(routing.serves(RequestClass.SESSION_READ));
    assertEquals(Set.of(RequestClass.SESSION_READ, RequestClass.LOCAL_READ), routing.served());
    assertTrue(routing.isElsewhere(RequestClass.UPDATE));
    assertFalse(routing.isElsewhere(RequestClass.SESSION_READ));
    assertEquals(List.of(OTHER), routing.servers(RequestClass.UPDATE));
  }

  @Test
  void replicaHoldsItsRequestsDuringAViewChange() {
    become(Role.CHANGING, Assignment.ofPrimary(OURS));
    assertFalse(routing.serves(RequestClass.UPDATE));
    assertEquals(Set.of(), routing.served());
    assertFalse(routing.isElsewhere(RequestClass.UPDATE), "its core holds it");
    become(Role.CHANGING, Assignment.ofPrimary(THEIRS));
    assertTrue(routing.isElsewhere(RequestClass.UPDATE));
  }

  @Test
  void noRequestIsForwardedBeforeTheFirstView() {
    assertFalse(routing.serves(RequestClass.LOCAL_READ));
    assertFalse(routing.isElsewhere(RequestClass.UPDATE));
    assertEquals(List.of(), routing.servers(RequestClass.UPDATE));
  }

  @Test
  void dutyContinuesAcrossAViewChange() {
    listen();
    become(Role.BACKUP, Assignment.ofPrimary(THEIRS));
    become(Role.CHANGING, Assignment.ofPrimary(THEIRS));
    become(Role.PRIMARY, Assignment.ofPrimary(OURS));
    assertTrue(duties.has(Duty.EXPIRE_LEASES));
    assertEquals(Set.of(Duty.values()), duties.current());
    become(Role.CHANGING, Assignment.ofPrimary(OURS));
    assertFalse(duties.has(Duty.EXPIRE_LEASES));
    assertEquals(List.of("begins 3"), heard);
    become(Role.PRIMARY, Assignment.ofPrimary(new View(7, List.of(SELF))));
    become(Role.CHANGING, Assignment.ofPrimary(THEIRS));
    become(Role.BACKUP, Assignment.ofPrimary(THEIRS));
    assertEquals(List.of("begins 3", "begins 7", "ends"), heard);
  }

  @Test
  void replicaOutsideTheViewLosesItsDuties() {
    listen();
    become(Role.PRIMARY, Assignment.ofPrimary(OURS));
    become(Role.JOINING, Assignment.ofPrimary(WITHOUT));
    assertEquals(List.of("begins 3", "ends"), heard);
    assertEquals(Set.of(), duties.current());
  }

  @Test
  void lateListenerIsNotifiedOfACurrentDuty() {
    become(Role.PRIMARY, Assignment.ofPrimary(OURS));
    listen();
    assertEquals(List.of("begins 3"), heard);
  }

  @Test
  void failingListenerDoesNotAffectOthers() {
    duties.listen(Duty.DELIVER_NOTIFICATIONS, new DutyListener() {
      @Override
      public void begins(long epoch) {
        throw new IllegalStateException("a listener's own trouble");
      }

      @Override
      public void ends() {
        throw new IllegalStateException("a listener's own trouble");
      }
    });
    listen();
    become(Role.PRIMARY, Assignment.ofPrimary(OURS));
    become(Role.BACKUP, Assignment.ofPrimary(THEIRS));
    assertEquals(List.of("begins 3", "ends"), heard);
  }

  /** As group replication will assign it: every member serves all, one delivers. */
  @Test
  void groupReplicationForwardsNothingAndAssignsDutiesToOneMember() {
    Map<RequestClass, List<ReplicaId>> servers = new EnumMap<>(RequestClass.class);
    for (RequestClass request : RequestClass.values()) {
      servers.put(request, THEIRS.members());
    }
    Assignment all = new Assignment(THEIRS, servers, Map.of(Duty.DELIVER_NOTIFICATIONS, OTHER));
    become(Role.BACKUP, all);
    assertTrue(routing.serves(RequestClass.UPDATE));
    assertFalse(routing.isElsewhere(RequestClass.UPDATE));
    assertFalse(duties.has(Duty.DELIVER_NOTIFICATIONS));
    assertEquals(List.of(OTHER, SELF), routing.servers(RequestClass.UPDATE));
  }
}
