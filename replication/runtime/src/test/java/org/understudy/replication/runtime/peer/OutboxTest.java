package org.understudy.replication.runtime.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.membership.MembershipMessage;
import org.understudy.replication.core.order.OrderMessage;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.update.Eviction;
import org.understudy.replication.core.update.StateUpdate;
import org.understudy.replication.runtime.codec.MessageWriter;

class OutboxTest {
  private static final FrameSizes SIZES = new FrameSizes(1 << 20, 50_000, 20_000, 100_000);

  private final List<List<Message>> sent = new ArrayList<>();
  private final Outbox outbox = new Outbox(new ReplicaId(2), SIZES, sent::add);

  private static Message update(int index, int bytes) {
    return new OrderMessage.Update(
        1, 0,
        new StateUpdate(
            index, Request.Kind.UPDATE, null, 0, 0, "", 0, new Response((byte) 0, new byte[bytes]), List.of(),
            Eviction.NONE));
  }

  private static long written(List<Message> messages) {
    MessageWriter writer = new MessageWriter(0);
    messages.forEach(writer::write);
    return writer.size();
  }

  @Test
  void batchesAreBoundedInBytesAndKeepTheirOrder() {
    for (int i = 1; i <= 12; i++) {
      outbox.add(update(i, i == 6 ? 40_000 : 4_500));
    }
    outbox.flush();
    List<Long> indexes = new ArrayList<>();
    for (List<Message> batch : sent) {
      assertTrue(written(batch) <= SIZES.batchBytes() || batch.size() == 1, batch.size() + " messages");
      batch.forEach(message -> indexes.add(((OrderMessage.Update) message).update().index()));
    }
    assertEquals(List.of(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L, 12L), indexes);
    assertEquals(5, sent.size());
  }

  @Test
  void backlogIsBoundedInBytes() {
    for (int round = 0; round < 3; round++) {
      sent.clear();
      for (int i = 1; i <= 1_000; i++) {
        outbox.add(update(i, 9_000));
      }
      outbox.flush();
      List<Message> all = sent.stream().flatMap(List::stream).toList();
      assertTrue(all.size() >= 10 && written(all) <= SIZES.queuedBytes(), all.size() + " messages in round " + round);
      assertEquals(1, ((OrderMessage.Update) all.get(0)).update().index(), "the newest are dropped");
    }
  }

  /** Updates queued behind a heartbeat have indexes above the one that it states: no replica requests them again. */
  @Test
  void heartbeatsAndReadRoundsOvertakeUpdates() {
    View view = new View(1, List.of(new ReplicaId(1), new ReplicaId(2)));
    for (int i = 7; i <= 9; i++) {
      outbox.add(update(i, 9_000));
      outbox.add(new MembershipMessage.Heartbeat(view, view, 100L * i, i, 5, true));
      outbox.add(new MembershipMessage.HeartbeatAck(1, 50 + i, true, true));
    }
    outbox.add(new MembershipMessage.ReadRound(1, 4));
    outbox.flush();
    List<Message> all = sent.stream().flatMap(List::stream).toList();
    assertEquals(
        List.of(
            new MembershipMessage.Heartbeat(view, view, 900, 6, 5, true), new MembershipMessage.HeartbeatAck(1, 59, true, true),
            new MembershipMessage.ReadRound(1, 4)),
        all.subList(0, 3), "the newest of each kind");
    assertEquals(6, all.size());
    for (List<Message> batch : sent) {
      assertTrue(written(batch) <= SIZES.batchBytes(), batch.size() + " messages");
    }
    sent.clear();
    outbox.add(new MembershipMessage.Heartbeat(view, view, 1_000, 9, 5, true));
    outbox.flush();
    assertEquals(List.of(List.of(new MembershipMessage.Heartbeat(view, view, 1_000, 9, 5, true))), sent);
  }

  @Test
  void urgentMessagesAreBoundedInBytesToo() {
    Outbox small = new Outbox(new ReplicaId(2), new FrameSizes(1 << 20, 50_000, 1_500, 100_000), sent::add);
    View view = new View(1, List.of(new ReplicaId(1), new ReplicaId(2)));
    Message update = update(7, 100);
    small.add(update);
    small.add(new MembershipMessage.Heartbeat(view, view, 100, 7, 5, true));
    small.add(new MembershipMessage.ReadRound(1, 4));
    small.flush();
    assertEquals(
        List.of(
            List.of(new MembershipMessage.Heartbeat(view, view, 100, 6, 5, true)), List.of(new MembershipMessage.ReadRound(1, 4), update)),
        sent);
  }

  @Test
  void acknowledgementsAreCumulative() {
    outbox.add(new OrderMessage.Ack(1, 5, false));
    outbox.add(new OrderMessage.Ack(1, 6, true));
    outbox.add(new OrderMessage.Ack(2, 6, false));
    outbox.flush();
    assertEquals(List.of(List.of(new OrderMessage.Ack(1, 6, true), new OrderMessage.Ack(2, 6, false))), sent);
  }

  @Test
  void estimatedSizesAreUpperBounds() {
    for (Message message : org.understudy.replication.runtime.codec.SampleMessages.everyKind()) {
      long size = message.encodedBytes();
      assertTrue(written(List.of(message)) <= size, message + " is larger than " + size);
    }
  }
}
