package org.understudy.replication.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;
import org.understudy.replication.core.membership.MembershipRecord;
import org.understudy.replication.core.record.DurableRecord;
import org.understudy.replication.core.record.RecordKind;

class StorageGateTest {
  private final List<Object> happened = new ArrayList<>();
  private final StorageGate gate = new StorageGate(happened::addAll, true);

  /** A record of another strategy: an entry of a journal. */
  private record Entry(int number) implements DurableRecord {
    @Override
    public RecordKind<?> kind() {
      return new RecordKind<>("journal", Entry.class, bytes -> new Entry(bytes[0]));
    }

    @Override
    public byte[] encode() {
      return new byte[] {(byte) number};
    }

    @Override
    public boolean supersedes(DurableRecord earlier) {
      return false;
    }
  }

  private static MembershipRecord promise(long epoch) {
    return new MembershipRecord(epoch, new ReplicaId(2), View.NONE, View.NONE, true);
  }

  private long stored() {
    long token = gate.stored();
    gate.storeNext();
    return token;
  }

  private void hold(String effect) {
    gate.hold(() -> happened.add(effect));
  }

  @Test
  void effectsHappenInOrderAndAfterTheRecordBeforeThem() {
    gate.store(1, promise(1));
    hold("a");
    hold("b");
    gate.store(2, promise(2));
    hold("c");
    assertEquals(List.of(promise(1)), happened);
    stored();
    assertEquals(List.of(promise(1), "a", "b", promise(2)), happened);
    assertTrue(gate.closed());
    stored();
    assertEquals(List.of(promise(1), "a", "b", promise(2), "c"), happened);
    assertFalse(gate.closed());
  }

  @Test
  void supersededWaitingRecordsAreNotStored() {
    gate.store(1, promise(1));
    for (int epoch = 2; epoch <= 100; epoch++) {
      gate.store(epoch, promise(epoch));
      hold("promised " + epoch);
    }
    stored();
    assertEquals(List.of(promise(1), promise(100)), happened);
    stored();
    assertEquals("promised 2", happened.get(2));
    assertEquals("promised 100", happened.get(100));
    assertFalse(gate.closed());
  }

  @Test
  void nestedStoresKeepTheOrder() {
    gate.store(1, promise(1));
    gate.hold(() -> {
      happened.add("a");
      gate.hold(() -> happened.add("of the first record"));
      gate.store(2, promise(2));
      gate.hold(() -> happened.add("of the second record"));
    });
    hold("b");
    stored();
    assertEquals(List.of(promise(1), "a", "b", "of the first record", promise(2)), happened);
    assertTrue(gate.closed());
    stored();
    assertEquals("of the second record", happened.get(5));
    assertFalse(gate.closed());
  }

  @Test
  void backlogForAHangingDiskIsBounded() {
    gate.store(1, promise(1));
    for (int i = 0; i < 10 * StorageGate.MAX_HELD; i++) {
      gate.holdOrDrop(() -> happened.add("message"));
    }
    hold("view");
    assertEquals(StorageGate.MAX_HELD + 1, gate.size());
    stored();
    assertEquals(StorageGate.MAX_HELD + 2, happened.size());
    assertEquals("view", happened.get(StorageGate.MAX_HELD + 1), "what must not be lost is not");
    assertEquals(0, gate.size());
  }

  @Test
  void independentRecordsAreStoredTogetherInOrder() {
    gate.store(1, new Entry(1));
    gate.store(2, new Entry(2));
    hold("rests on 2");
    gate.store(3, promise(3));
    gate.store(4, new Entry(4));
    gate.store(5, promise(5));
    hold("rests on 5");
    assertEquals(1, stored());
    assertEquals(List.of(new Entry(1), new Entry(2), new Entry(4), promise(5)), happened);
    assertEquals(5, stored());
    assertEquals(List.of("rests on 2", "rests on 5"), happened.subList(4, 6));
    assertFalse(gate.closed());
  }

  @Test
  void batchReportsTheTokenOfItsLastRecord() {
    for (long token = 10; token <= 13; token++) {
      gate.store(token, promise(token));
    }
    assertEquals(10, stored());
    assertEquals(13, stored());
  }

  @Test
  void appendedRecordsHoldNothingAndShareABatch() {
    gate.append(1, new Entry(1));
    assertFalse(gate.closed());
    gate.append(2, new Entry(2));
    assertEquals(1, gate.stored());
    gate.append(3, new Entry(3));
    assertEquals(List.of(new Entry(1)), happened);
    gate.storeNext();
    assertEquals(List.of(new Entry(1), new Entry(2), new Entry(3)), happened);
    assertEquals(3, stored());
  }

  @Test
  void effectsOfAStoredRecordWaitForTheAppendedOnesBeforeIt() {
    gate.append(1, new Entry(1));
    gate.append(2, new Entry(2));
    gate.store(3, promise(3));
    assertTrue(gate.closed());
    hold("rests on 3");
    assertEquals(1, stored());
    assertTrue(gate.closed());
    assertEquals(List.of(new Entry(1), new Entry(2), promise(3)), happened);
    assertEquals(3, stored());
    assertEquals("rests on 3", happened.get(3));
    assertFalse(gate.closed());
  }
}
