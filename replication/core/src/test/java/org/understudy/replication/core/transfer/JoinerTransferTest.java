package org.understudy.replication.core.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.store.Item;
import org.understudy.replication.core.store.StateItems;
import org.understudy.replication.core.transfer.TransferMessage.Snapshot;
import org.understudy.replication.core.update.StateUpdate;

/** All content counts in the size of a part: a part too large for a frame would keep a joiner out for good. */
class JoinerTransferTest {
  private static final int CHUNK_BYTES = 10_000;

  private static StateItems source(List<Item> items) {
    Iterator<Item> iterator = items.iterator();
    return new StateItems() {
      @Override
      public Item next() {
        return iterator.hasNext() ? iterator.next() : null;
      }

      @Override
      public void close() {
        // The store keeps nothing.
      }
    };
  }

  @Test
  void partSizesIncludeNames() {
    String name = "n".repeat(4_000);
    List<Item> items = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      items.add(new Item.Resource(name + i, 1, new byte[0]));
      items.add(new Item.Session(new SessionId(1, i), new RequestKey.OfNonce(1, i), name, 0, 0));
    }
    JoinerTransfer transfer = new JoinerTransfer(0, 1, 7, 0, source(items), CHUNK_BYTES);
    int taken = 0;
    for (int part = 0; !transfer.streaming(); part++) {
      Snapshot snapshot = transfer.next(1, 1);
      assertTrue(snapshot.items().size() * name.length() <= CHUNK_BYTES, snapshot.items().size() + " items in a part");
      taken += snapshot.items().size();
      assertTrue(transfer.acknowledge(0, part));
    }
    assertEquals(items.size(), taken);
  }

  /** A late acknowledgement of the joiner's last incarnation: what this one lacks is sent again. */
  @Test
  void joinerThatLostUpdatesMakesNoProgress() {
    JoinerTransfer transfer = new JoinerTransfer(0, 1, 7, 0, source(List.of()), CHUNK_BYTES);
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

  /** The first transfer is interrupted; when the second begins, more updates are stable, and it has fewer parts. */
  @Test
  void shorterTransferAtTheSameIndexStartsAgain() {
    JoiningState joining = new JoiningState();
    for (int i = 0; i < 4; i++) {
      assertTrue(joining.take(part(i, false)));
    }
    for (int i = 0; i < 2; i++) {
      assertFalse(joining.take(part(i, false)));
      assertTrue(joining.taken(part(i, false)), "it has the part already");
    }
    assertFalse(joining.take(part(2, true)));
    assertFalse(joining.taken(part(2, true)), "not acknowledged: the primary begins again");
    for (int i = 0; i < 2; i++) {
      assertTrue(joining.take(part(i, false)));
    }
    assertFalse(joining.has(2));
    assertTrue(joining.take(part(2, true)));
    assertFalse(joining.take(part(2, true)), "a late copy");
    assertTrue(joining.has(2));
  }

  private static Snapshot tail(int part, boolean last, long... indexes) {
    List<Item> items = new ArrayList<>();
    for (long index : indexes) {
      items.add(
          new Item.Unstable(
              new StateUpdate(
                  index, Request.Kind.UPDATE, null, 0, 0, "", new Response((byte) 0, new byte[0]), List.of())));
    }
    return new Snapshot(2, 7, part, last, 50, items);
  }

  @Test
  void tailWithGapsIsRejected() {
    JoiningState joining = new JoiningState();
    assertTrue(joining.take(tail(0, false, 48)));
    assertTrue(joining.take(tail(1, true, 49, 50)));
    assertEquals(List.of(48L, 49L, 50L), joining.tail().stream().map(StateUpdate::index).toList());
    joining.clear();
    assertTrue(joining.take(tail(0, true, 48, 50)));
    assertNull(joining.tail());
    joining.clear();
    assertTrue(joining.take(tail(0, true)));
    assertEquals(List.of(), joining.tail());
  }
}
