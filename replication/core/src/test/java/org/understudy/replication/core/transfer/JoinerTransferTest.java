package org.understudy.replication.core.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
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

  static StateItems source(List<Item> items) {
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

  private static JoinerTransfer transfer(List<Item> items) {
    TransferWindow window = new TransferWindow(CHUNK_BYTES, 100, 1_000);
    return new JoinerTransfer(0, 1, 7, 0, source(items), CHUNK_BYTES, window, new TransferProgress("It goes on", 0));
  }

  /** All parts of it are on their way. */
  private static JoinerTransfer allSent(List<Item> items) {
    JoinerTransfer transfer = transfer(items);
    for (Snapshot part = transfer.next(0, 1, 1); part != null; part = transfer.next(0, 1, 1)) {
      assertEquals(7, part.index());
    }
    return transfer;
  }

  @Test
  void partSizesIncludeNames() {
    String name = "n".repeat(4_000);
    List<Item> items = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      items.add(new Item.Resource(name + i, 1, new byte[0]));
      items.add(new Item.Session(new SessionId(1, i), new RequestKey.OfNonce(1, i), name, 0, 0));
    }
    JoinerTransfer transfer = transfer(items);
    int taken = 0;
    for (int part = 0; !transfer.streaming(); part++) {
      Snapshot snapshot = transfer.next(0, 1, 1);
      assertTrue(snapshot.items().size() * name.length() <= CHUNK_BYTES, snapshot.items().size() + " items in a part");
      taken += snapshot.items().size();
      assertTrue(transfer.acknowledge(0, part, 7));
    }
    assertEquals(items.size(), taken);
  }

  /** A late acknowledgement of the joiner's last incarnation: what this one lacks is sent again. */
  @Test
  void joinerThatLostUpdatesMakesNoProgress() {
    JoinerTransfer transfer = allSent(List.of());
    assertTrue(transfer.acknowledge(1, 0, 7));
    transfer.received(5, 9);
    transfer.received(6, 9);
    assertEquals(6, transfer.activeAt());
    transfer.received(8, 7);
    assertEquals(6, transfer.activeAt());
    assertEquals(9, transfer.received());
  }

  /** As a member, a replica that acknowledges late would delay every update. */
  @Test
  void joinerIsPromptSomeTimeAfterItWasLate() {
    JoinerTransfer transfer = allSent(List.of());
    assertTrue(transfer.acknowledge(1, 0, 7));
    transfer.measure(100, 7, 10);
    assertTrue(transfer.isPrompt(100, 50), "it has everything and was never late");
    transfer.measure(200, 20, 10);
    transfer.received(211, 20);
    transfer.measure(211, 25, 10);
    assertFalse(transfer.isPrompt(211, 50), "its acknowledgement took 11");
    transfer.received(220, 24);
    transfer.measure(220, 30, 10);
    transfer.measure(222, 31, 10);
    assertFalse(transfer.isPrompt(271, 50), "that of update 25 has not come in time");
    transfer.received(223, 31);
    transfer.measure(223, 31, 10);
    assertTrue(transfer.isPrompt(273, 50));
    transfer.measure(400, 31, 10);
    assertTrue(transfer.isPrompt(400, 50), "nothing is expected of it");
    transfer.measure(401, 32, 10);
    transfer.received(402, 32);
    transfer.measure(402, 97, 10);
    assertTrue(transfer.isPrompt(402, 50), "many updates at once are on their way to it");
    transfer.measure(413, 98, 10);
    assertFalse(transfer.isPrompt(413, 50), "they have not come in time");
  }

  /** With a long round trip and a high rate, a joiner lacks many updates at any time. */
  @Test
  void joinerIsNearWhenItLacksWhatIsOnItsWay() {
    JoinerTransfer transfer = allSent(List.of());
    assertTrue(transfer.acknowledge(1, 0, 1_007));
    transfer.measure(100, 1_007, 10);
    assertFalse(transfer.isNear(100, 1_007, 50), "it was not measured");
    transfer.received(160, 1_007);
    transfer.measure(160, 1_607, 10);
    assertFalse(transfer.isNear(160, 1_607, 50), "it took 60");
    assertTrue(transfer.isNear(160, 1_071, 50), "it lacks few");
    transfer.received(200, 1_607);
    transfer.measure(200, 2_007, 10);
    assertTrue(transfer.isNear(200, 2_007, 50), "it took 40");
    assertFalse(transfer.isPrompt(200, 50), "more than 10");
    assertTrue(transfer.isNear(250, 2_507, 50));
    assertFalse(transfer.isNear(251, 2_517, 50), "nothing has come for 51");
  }

  @Test
  void joinerIsMeasuredBeforeItIsPrompt() {
    JoinerTransfer transfer = allSent(List.of());
    assertTrue(transfer.acknowledge(100, 0, 8));
    assertTrue(transfer.isNear(100, 8, 50));
    assertFalse(transfer.isPrompt(149, 50));
    assertTrue(transfer.isPrompt(150, 50));
  }

  /** It lacks ten updates of which each takes as long as clients take for another one. */
  @Test
  void clientsWaitMoreAndMoreForAJoinerThatStaysBehind() {
    JoinerTransfer transfer = allSent(List.of());
    assertTrue(transfer.acknowledge(1, 0, 17));
    long free = Long.MAX_VALUE;
    assertEquals(free, paced(transfer, 2, 17), "it may catch up by itself");
    long received = 7;
    long least = Long.MAX_VALUE;
    for (long now = 10; now < 401 + 800; now += 10) {
      transfer.received(now, ++received);
      transfer.measure(now, received + 10, 10);
      long allowed = paced(transfer, now, received + 10);
      if (now < 401) {
        assertEquals(free, allowed, "before four suspicion times");
      } else {
        assertTrue(allowed - received <= least, allowed - received + " after " + least);
        least = allowed - received;
      }
    }
    assertEquals(1, least, "nearly as for a member");
    for (long now = 1_200; now < 401 + 1_700; now += 10) {
      transfer.received(now, ++received);
    }
    assertEquals(free, paced(transfer, 401 + 1_700, received + 10), "not for ever");
    transfer.received(401 + 12_800, ++received);
    assertEquals(received + 10, paced(transfer, 401 + 12_850, received + 10), "once more, much later");
  }

  @Test
  void clientsDoNotWaitForAJoinerThatFollowsOrIsGone() {
    JoinerTransfer transfer = allSent(List.of());
    assertTrue(transfer.acknowledge(1, 0, 7));
    transfer.measure(490, 8, 10);
    transfer.received(500, 8);
    transfer.measure(500, 9, 10);
    assertEquals(Long.MAX_VALUE, paced(transfer, 500, 9), "it took 10");
    assertEquals(Long.MAX_VALUE, paced(transfer, 600, 20), "it has said nothing for a suspicion time");
    transfer.received(700, 9);
    assertEquals(19, paced(transfer, 701, 19));
    transfer.received(850, 9);
    assertEquals(Long.MAX_VALUE, paced(transfer, 851, 20), "it answers and does not advance, like one whose disk hangs");
  }

  private static long paced(JoinerTransfer transfer, long now, long end) {
    return transfer.paced(now, end, 400, 50, 100);
  }

  private static Snapshot part(int part, boolean last) {
    return new Snapshot(2, 7, part, last, 50, List.of(new Item.Resource("r" + part, 0, new byte[1])));
  }

  /** The first transfer is interrupted; when the second begins, more updates are stable, and it has fewer parts. */
  @Test
  void shorterTransferAtTheSameIndexStartsAgain() {
    JoiningState joining = new JoiningState();
    for (int i = 0; i < 4; i++) {
      assertNotNull(joining.take(0, part(i, false)));
    }
    for (int i = 0; i < 2; i++) {
      assertNull(joining.take(0, part(i, false)));
      assertTrue(joining.taken(part(i, false)), "it has the part already");
    }
    assertNull(joining.take(0, part(2, true)));
    assertFalse(joining.taken(part(2, true)), "not acknowledged: the primary begins again");
    for (int i = 0; i < 2; i++) {
      assertNotNull(joining.take(0, part(i, false)));
    }
    assertFalse(joining.has(2));
    assertNotNull(joining.take(0, part(2, true)));
    assertNull(joining.take(0, part(2, true)), "a late copy");
    assertTrue(joining.has(2));
  }

  /** Not every channel keeps the order: a part that comes early is not sent again. */
  @Test
  void partsMayOvertakeEachOther() {
    JoiningState joining = new JoiningState();
    assertNotNull(joining.take(0, part(0, false)));
    assertNull(joining.take(0, part(2, false)));
    assertNull(joining.take(0, part(3, true)));
    assertEquals(0, joining.last());
    assertFalse(joining.taken(part(2, false)));
    assertNotNull(joining.take(0, part(1, false)));
    assertEquals(2, joining.takeAhead(0).part());
    assertEquals(3, joining.takeAhead(0).part());
    assertNull(joining.takeAhead(0));
    assertEquals(3, joining.last());
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
    assertNotNull(joining.take(0, tail(0, false, 48)));
    assertNotNull(joining.take(0, tail(1, true, 49, 50)));
    assertEquals(List.of(48L, 49L, 50L), joining.tail().stream().map(StateUpdate::index).toList());
    joining.clear();
    assertNotNull(joining.take(0, tail(0, true, 48, 50)));
    assertNull(joining.tail());
    joining.clear();
    assertNotNull(joining.take(0, tail(0, true)));
    assertEquals(List.of(), joining.tail());
  }
}
