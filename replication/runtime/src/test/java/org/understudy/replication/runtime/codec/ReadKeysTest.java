package org.understudy.replication.runtime.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.group.GroupReplication;
import org.understudy.replication.core.order.OrderMessage;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.update.Eviction;
import org.understudy.replication.core.update.Origin;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.core.update.StateUpdate;
import org.understudy.replication.core.wire.WireVersions;

/** The keys that the run of an update has read, on the wire. */
class ReadKeysTest {
  private static final MessageFormat FORMAT = new MessageFormat(new GroupReplication().messages(), WireVersions.CURRENT);

  private static OrderMessage.Update update(List<String> read, StateChange... changes) {
    return new OrderMessage.Update(
        3,
        8,
        new StateUpdate(
            9, Request.Kind.UPDATE, new RequestKey.OfSession(new SessionId(1, 2), 3), -77, 3, "", 44,
            Response.EMPTY, List.of(changes), Eviction.NONE,
            new Origin(3, new ReplicaId(2), 5, Origin.Kind.RUN, 0, 8, read)));
  }

  private static byte[] encoded(Message message) {
    MessageWriter writer = new MessageWriter(0);
    writer.write(message);
    return writer.toBytes();
  }

  /** A key that was read is encoded by its place among the changes, if it has one there. */
  @Test
  void keysThatWereReadAreDecodedAsEncoded() throws MalformedMessageException {
    StateChange[] changes = new StateChange[40];
    List<String> read = new ArrayList<>(List.of("", "elsewhere", "resources/"));
    for (int i = 0; i < changes.length; i++) {
      changes[i] = new StateChange("resources/" + i, i % 2 == 0 ? new byte[] {1} : null);
      read.add("resources/" + i);
    }
    byte[] bytes = encoded(update(read, changes));
    OrderMessage.Update back = (OrderMessage.Update) FORMAT.readAll(bytes, 0, bytes.length).get(0);
    assertEquals(read, back.update().origin().read());
    assertTrue(bytes.length < encoded(update(read)).length + 40 * 20, "places are shorter than keys");
  }

  @Test
  void aPlaceWithoutAChangeIsRefused() {
    byte[] bytes = encoded(update(List.of("key"), new StateChange("key", null)));
    bytes[bytes.length - 1] = 2;
    assertThrows(MalformedMessageException.class, () -> FORMAT.readAll(bytes, 0, bytes.length));
  }
}
