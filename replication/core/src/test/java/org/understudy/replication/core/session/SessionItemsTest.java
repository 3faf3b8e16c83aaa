package org.understudy.replication.core.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.store.Item;
import org.understudy.replication.core.store.StateItems;
import org.understudy.replication.core.update.StateUpdate;

/** A snapshot of the reply table shows one moment, although sessions change while it is read. */
class SessionItemsTest {
  private final Random random = new Random(5);
  private final ReplyTable table = new ReplyTable();
  private long index;

  private void apply(Request.Kind kind, RequestKey key, long ackBelow, Response response) {
    index++;
    table.apply(new StateUpdate(index, kind, key, index, ackBelow, "p", response, List.of()), true);
  }

  private void change(int times) {
    for (int i = 0; i < times; i++) {
      SessionId id = new SessionId(random.nextInt(8), 1);
      RequestKey key = new RequestKey.OfSession(id, random.nextInt(10));
      Response response = new Response((byte) 0, new byte[] {(byte) i});
      switch (random.nextInt(4)) {
        case 0 -> apply(
            Request.Kind.OPEN_SESSION, new RequestKey.OfNonce(index, 1), 0, new Response((byte) 0, id.toBytes()));
        case 1 -> apply(Request.Kind.CLOSE_SESSION, key, 0, response);
        default -> apply(Request.Kind.UPDATE, key, random.nextInt(4), response);
      }
    }
  }

  @Test
  void snapshotEqualsTheItemsWhenItWasTaken() {
    for (int round = 0; round < 300; round++) {
      change(random.nextInt(30));
      List<Item> expected = table.items();
      List<Item> read = new ArrayList<>();
      StateItems snapshot = table.snapshot();
      for (Item item = snapshot.next(); item != null; item = snapshot.next()) {
        read.add(item);
        change(random.nextInt(3));
      }
      assertEquals(expected, read, "round " + round);
      assertNull(snapshot.next());
    }
  }

  @Test
  void closedSnapshotHasNoItems() {
    change(50);
    StateItems snapshot = table.snapshot();
    snapshot.close();
    assertNull(snapshot.next());
  }
}
