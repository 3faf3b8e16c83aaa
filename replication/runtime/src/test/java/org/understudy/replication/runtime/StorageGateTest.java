package org.understudy.replication.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;
import org.understudy.replication.core.MembershipRecord;

class StorageGateTest {
  private final List<Object> happened = new ArrayList<>();
  private final StorageGate gate = new StorageGate(happened::add);

  private static MembershipRecord promise(long epoch) {
    return new MembershipRecord(epoch, new ReplicaId(2), View.NONE, View.NONE, true);
  }

  private void hold(String effect) {
    gate.hold(() -> happened.add(effect));
  }

  @Test
  void effectsHappenInOrderAndAfterTheRecordBeforeThem() {
    gate.store(promise(1));
    hold("a");
    hold("b");
    gate.store(promise(2));
    hold("c");
    assertEquals(List.of(promise(1)), happened);
    gate.stored();
    assertEquals(List.of(promise(1), "a", "b", promise(2)), happened);
    assertTrue(gate.closed());
    gate.stored();
    assertEquals(List.of(promise(1), "a", "b", promise(2), "c"), happened);
    assertFalse(gate.closed());
  }

  @Test
  void ofTheRecordsThatWaitOnlyTheNewestIsStored() {
    gate.store(promise(1));
    for (int epoch = 2; epoch <= 100; epoch++) {
      gate.store(promise(epoch));
      hold("promised " + epoch);
    }
    gate.stored();
    assertEquals(List.of(promise(1), promise(100)), happened);
    gate.stored();
    assertEquals("promised 2", happened.get(2));
    assertEquals("promised 100", happened.get(100));
    assertFalse(gate.closed());
  }

  @Test
  void anEffectThatStoresOrHoldsWhileItPassesKeepsTheOrder() {
    gate.store(promise(1));
    gate.hold(() -> {
      happened.add("a");
      gate.hold(() -> happened.add("of the first record"));
      gate.store(promise(2));
      gate.hold(() -> happened.add("of the second record"));
    });
    hold("b");
    gate.stored();
    assertEquals(List.of(promise(1), "a", "b", "of the first record", promise(2)), happened);
    assertTrue(gate.closed());
    gate.stored();
    assertEquals("of the second record", happened.get(5));
    assertFalse(gate.closed());
  }

  @Test
  void whatWaitsForADiskThatHangsIsBounded() {
    gate.store(promise(1));
    for (int i = 0; i < 10 * StorageGate.MAX_HELD; i++) {
      gate.holdOrDrop(() -> happened.add("message"));
    }
    hold("view");
    assertEquals(StorageGate.MAX_HELD + 1, gate.size());
    gate.stored();
    assertEquals(StorageGate.MAX_HELD + 2, happened.size());
    assertEquals("view", happened.get(StorageGate.MAX_HELD + 1), "what must not be lost is not");
    assertEquals(0, gate.size());
  }
}
