package org.understudy.replication.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.Duty;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.RequestClass;
import org.understudy.replication.api.View;

class AssignmentTest {
  private static final ReplicaId ONE = new ReplicaId(1);
  private static final ReplicaId TWO = new ReplicaId(2);
  private static final ReplicaId THREE = new ReplicaId(3);

  @Test
  void primaryServesEverythingAndOthersServeReads() {
    Assignment assignment = Assignment.ofPrimary(new View(4, List.of(TWO, ONE)));
    assertEquals(EnumSet.allOf(RequestClass.class), assignment.servedBy(TWO));
    assertEquals(Set.of(RequestClass.SESSION_READ, RequestClass.LOCAL_READ), assignment.servedBy(ONE));
    assertEquals(Set.of(), assignment.servedBy(THREE));
    assertEquals(List.of(TWO), assignment.servers(RequestClass.LINEARIZABLE_READ));
    assertEquals(List.of(TWO, ONE), assignment.servers(RequestClass.LOCAL_READ));
    for (Duty duty : Duty.values()) {
      assertEquals(TWO, assignment.holder(duty));
    }
  }

  @Test
  void noReplicaServesBeforeTheFirstView() {
    assertEquals(Assignment.NONE, Assignment.ofPrimary(View.NONE));
    assertEquals(List.of(), Assignment.NONE.servers(RequestClass.LOCAL_READ));
    assertNull(Assignment.NONE.holder(Duty.EXPIRE_LEASES));
  }

  @Test
  void replicasOutsideTheViewServeNothing() {
    View view = new View(4, List.of(TWO, ONE));
    assertThrows(
        IllegalArgumentException.class,
        () -> new Assignment(view, Map.of(RequestClass.UPDATE, List.of(ONE, THREE)), Map.of()));
    assertThrows(
        IllegalArgumentException.class,
        () -> new Assignment(view, Map.of(), Map.of(Duty.DELIVER_NOTIFICATIONS, THREE)));
  }

  @Test
  void holderOfADutyServesUpdates() {
    View view = new View(4, List.of(TWO, ONE));
    Map<RequestClass, List<ReplicaId>> servers = Map.of(RequestClass.UPDATE, List.of(TWO));
    assertEquals(TWO, new Assignment(view, servers, Map.of(Duty.EXPIRE_LEASES, TWO)).holder(Duty.EXPIRE_LEASES));
    assertThrows(
        IllegalArgumentException.class, () -> new Assignment(view, servers, Map.of(Duty.EXPIRE_LEASES, ONE)));
  }
}
