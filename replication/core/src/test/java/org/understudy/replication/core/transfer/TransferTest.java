package org.understudy.replication.core.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.core.Message.Item;
import org.understudy.replication.core.Message.Snapshot;
import org.understudy.replication.core.RequestKey;

/** Parts are cut by all that is in them: a part that no frame carries would keep a joiner out for good. */
class TransferTest {
  private static final int CHUNK_BYTES = 10_000;

  @Test
  void longNamesCountInAPartAsStatesDo() {
    String name = "n".repeat(4_000);
    List<Item> items = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      items.add(new Item.Resource(name + i, 1, new byte[0]));
      items.add(new Item.Session(new SessionId(1, i), new RequestKey.OfNonce(1, i), name, 0, 0));
    }
    Transfer transfer = new Transfer(0, 1, 7, items, CHUNK_BYTES);
    int taken = 0;
    for (int part = 0; !transfer.streaming(); part++) {
      Snapshot snapshot = transfer.next(1, 1);
      assertTrue(snapshot.items().size() * name.length() <= CHUNK_BYTES, snapshot.items().size() + " items in a part");
      taken += snapshot.items().size();
      assertTrue(transfer.acknowledge(0, part));
    }
    assertEquals(items.size(), taken);
  }

  /** An acknowledgement of the joiner's last life came late: what this life lacks is forgotten, and it is sent all again. */
  @Test
  void aJoinerThatHasLessThanItSaidMakesNoProgress() {
    Transfer transfer = new Transfer(0, 1, 7, List.of(), CHUNK_BYTES);
    assertTrue(transfer.acknowledge(1, 0));
    transfer.received(5, 9);
    transfer.received(6, 9);
    assertEquals(6, transfer.progressedAt());
    transfer.received(8, 7);
    assertEquals(6, transfer.progressedAt());
    assertEquals(9, transfer.received());
  }

  private static Snapshot part(int part, boolean last) {
    return new Snapshot(2, 7, part, last, 50, List.of(new Item.Resource("r" + part, 0, new byte[1])));
  }

  /** The first transfer broke off; when the second begins, more updates are stable, and it has fewer parts. */
  @Test
  void aShorterTransferAtTheSameIndexBeginsAnew() {
    JoiningState joining = new JoiningState();
    for (int i = 0; i < 4; i++) {
      assertFalse(joining.take(part(i, false)));
    }
    for (int i = 0; i < 2; i++) {
      assertFalse(joining.take(part(i, false)));
      assertTrue(joining.taken(part(i, false)), "it has the part already");
    }
    assertFalse(joining.take(part(2, true)));
    assertFalse(joining.taken(part(2, true)), "not acknowledged: the primary begins again");
    for (int i = 0; i < 2; i++) {
      assertFalse(joining.take(part(i, false)));
    }
    assertTrue(joining.take(part(2, true)));
    assertEquals(3, joining.state().items().size());
    assertFalse(joining.take(part(2, true)), "a late copy");
    assertTrue(joining.has(2));
  }
}
