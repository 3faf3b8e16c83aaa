package org.understudy.replication.runtime.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.api.View;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.api.decision.DecisionId;
import org.understudy.replication.api.decision.ParticipantRecord;
import org.understudy.replication.core.LoadBoard;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.membership.MembershipMessage;
import org.understudy.replication.core.membership.RecoveryMessage;
import org.understudy.replication.core.order.OrderMessage;
import org.understudy.replication.core.primarybackup.PrimaryBackup;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.session.SessionActivity;
import org.understudy.replication.core.store.Holdings;
import org.understudy.replication.core.store.Item;
import org.understudy.replication.core.time.GroupTime;
import org.understudy.replication.core.transfer.TransferMessage;
import org.understudy.replication.core.update.Eviction;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.core.update.StateUpdate;
import org.understudy.replication.core.wire.WireVersions;

class MessageCodecTest {
  private static final MessageFormat FORMAT =
      new MessageFormat(new PrimaryBackup().messages(), WireVersions.CURRENT);
  private static final ParticipantRecord PARTICIPANT = new ParticipantRecord("urn:transaction:ü", new byte[] {1, -2});
  private static final View VIEW = new View(7, List.of(new ReplicaId(2), new ReplicaId(1), new ReplicaId(64)));
  private static final LoadBoard LOADS =
      new LoadBoard(Map.of(new ReplicaId(2), 0, new ReplicaId(64), LoadBoard.MAX));
  private static final RequestKey KEY = new RequestKey.OfSession(new SessionId(-1, 5), 9);

  static List<Message> everyKind() {
    Response response = new Response((byte) 3, new byte[] {1, 2});
    StateUpdate update =
        new StateUpdate(
            12, Request.Kind.UPDATE, KEY, -77, 3, "ann", 44, response,
            List.of(new StateChange("a", new byte[10_000]), new StateChange("gone", null)), new Eviction(3, 4));
    return List.of(
        new MembershipMessage.PreVote(1),
        new MembershipMessage.PreVoteReply(2, true),
        new MembershipMessage.Prepare(3, true),
        new MembershipMessage.Promise(4, VIEW, true, 17, false, -5),
        new MembershipMessage.Promise(4, View.NONE, true, 0, false, 9),
        new MembershipMessage.Nack(5),
        new MembershipMessage.NewView(VIEW, View.NONE, 12, List.of(new ReplicaId(1)), List.of(8L, -9L, 0L)),
        new MembershipMessage.Accepted(6, true, 11),
        new MembershipMessage.Heartbeat(VIEW, VIEW, -5, 12, 11, true),
        new MembershipMessage.ReadRound(7, 12),
        new RecoveryMessage.Survey(7, -3),
        new RecoveryMessage.SurveyReply(7, -3, VIEW, true, 12, false, -9),
        new RecoveryMessage.Readmit(7, -9, VIEW),
        new MembershipMessage.ReadRoundAck(7, 12),
        new MembershipMessage.HeartbeatAck(7, -5, true, false),
        new MembershipMessage.Heartbeat(VIEW, VIEW, -5, 12, 11, true, 2, LOADS, GroupTime.NONE, 0),
        new MembershipMessage.Heartbeat(VIEW, VIEW, -5, 12, 11, true, 2, LOADS, GroupTime.NONE, 1),
        new MembershipMessage.Heartbeat(VIEW, VIEW, -5, 12, 11, true, 2, LOADS, new GroupTime(1_795_000_000_000_000_000L, -1), 0),
        new MembershipMessage.Heartbeat(VIEW, VIEW, -5, 12, 11, true, 2, LoadBoard.EMPTY, new GroupTime(0, 1L << 62 | 0x80), 65_535),
        new MembershipMessage.HeartbeatAck(7, -5, true, false, LoadBoard.MAX, GroupTime.UNKNOWN, true, 0),
        new MembershipMessage.HeartbeatAck(7, -5, true, false, LoadBoard.MAX, 1_795_000_000_000_000_000L, true, 375),
        new MembershipMessage.HeartbeatAck(7, -5, true, false, LoadBoard.UNKNOWN, -128, false, 65_535),
        new OrderMessage.Update(7, 11, update),
        new OrderMessage.Update(7, 11, update.prepared(new DecisionId(7, 12))),
        new OrderMessage.Update(7, 11, update.prepared(new DecisionId(7, 12), PARTICIPANT)),
        new OrderMessage.Update(7, 11, StateUpdate.mark(13, Decision.COMMITTED, new DecisionId(7, 12), new Eviction(1, 2))),
        new OrderMessage.Ack(7, 12, true),
        new TransferMessage.Join(0, 99, true),
        new TransferMessage.Snapshot(
            7, 99, 1, true, 12, 5,
            List.of(
                new Item.Basis(11, 3),
                new Item.Removed("gone", 4),
                new Item.Resource("r", -7, 9, new byte[5]),
                new Item.Held("s"),
                new Item.Slice(new byte[] {1, 2}),
                new Item.Resource("ä", -7, new byte[5_000]),
                new Item.Unstable(update),
                new Item.Prepared(update.prepared(new DecisionId(7, 12))),
                new Item.Prepared(update.prepared(new DecisionId(7, 12), PARTICIPANT)),
                new Item.LastCommitted(new DecisionId(6, 5)),
                new Item.Turn(7, new ReplicaId(2), 4, List.of()),
                new Item.Turn(7, new ReplicaId(1), 3, List.of("a", "ü/")),
                new Item.Session(new SessionId(1, 2), new RequestKey.OfNonce(8, -9), "", 5, 4),
                new Item.Identities(new long[] {1, 2, 3, 4, -5}),
                new Item.StoredReply(new RequestKey.OfMessageId(-3, 8), 4, 5, response),
                new Item.StoredReply(KEY, 4, 5, new Failure(FailureCode.TooLarge, "It is too large."))),
            WireVersions.CURRENT.newest()),
        new TransferMessage.HoldingsQuery(7, 99, 12),
        new TransferMessage.HoldingsReply(
            7,
            99,
            new Holdings(2, 6, List.of(new Holdings.Range("k", 11), new Holdings.Range(null, 0)), List.of("a", "ü"))),
        new SessionActivity(7, List.of(new SessionId(1, -2), new SessionId(3, 4))),
        new TransferMessage.SnapshotAck(7, 99, 1));
  }

  @Test
  void everyMessageIsDecodedAsEncoded() throws Exception {
    for (Message message : everyKind()) {
      MessageWriter writer = new MessageWriter(0);
      writer.write(message);
      byte[] bytes = writer.toBytes();
      Message back = FORMAT.readAll(bytes, 0, bytes.length).get(0);
      MessageWriter again = new MessageWriter(0);
      again.write(back);
      assertEquals(message.getClass(), back.getClass());
      assertEquals(Arrays.toString(bytes), Arrays.toString(again.toBytes()), message.toString());
    }
    assertEquals(
        new PrimaryBackup().messages().size(), everyKind().stream().map(Object::getClass).distinct().count(), "all kinds");
  }

  @Test
  void batchIsDecodedInOrder() throws Exception {
    MessageWriter writer = new MessageWriter(4);
    everyKind().forEach(writer::write);
    int free = 16;
    byte[] bytes = writer.toBytes(free);
    assertEquals(writer.size() + free, bytes.length);
    List<Class<?>> back = new ArrayList<>();
    FORMAT.readAll(bytes, 4, bytes.length - 4 - free).forEach(message -> back.add(message.getClass()));
    assertEquals(everyKind().stream().map(Object::getClass).toList(), back);
  }

  @Test
  void invalidBytesAreRefusedWithoutAllocation() {
    long seed = 20_261_121;
    Random random = new Random(seed);
    for (Message message : everyKind()) {
      MessageWriter writer = new MessageWriter(0);
      writer.write(message);
      byte[] whole = writer.toBytes();
      int cut = whole.length - 1;
      assertThrows(
          MalformedMessageException.class, () -> FORMAT.readAll(whole, 0, cut), "seed " + seed + " " + message);
      for (int i = 0; i < 2_000; i++) {
        byte[] scrambled = whole.clone();
        for (int j = 0; j <= random.nextInt(4); j++) {
          scrambled[random.nextInt(Math.min(scrambled.length, 200))] = (byte) random.nextInt();
        }
        try {
          FORMAT.readAll(scrambled, 0, scrambled.length);
        } catch (MalformedMessageException expected) {
          // The only permitted result for invalid bytes.
        }
      }
    }
  }

  @Test
  void epochsAndIndexesOutOfRangeAreRefused() throws Exception {
    long bound = 1L << 48;
    View far = new View(bound + 1, VIEW.members());
    FORMAT.readAll(written(new MembershipMessage.Nack(bound)), 0, 9);
    for (Message message : List.of(
        new MembershipMessage.Nack(Long.MAX_VALUE),
        new MembershipMessage.Nack(bound + 1),
        new MembershipMessage.Nack(-1),
        new MembershipMessage.PreVote(bound + 1),
        new MembershipMessage.Promise(4, far, true, 17, false, -5),
        new MembershipMessage.Promise(4, VIEW, true, bound + 1, false, -5),
        new MembershipMessage.NewView(VIEW, View.NONE, -2, List.of(new ReplicaId(1)), List.of(8L, -9L, 0L)),
        new MembershipMessage.Heartbeat(VIEW, far, -5, 12, 11, true),
        new MembershipMessage.Heartbeat(VIEW, VIEW, -5, 12, bound + 1, true),
        new OrderMessage.Ack(7, bound + 1, true))) {
      byte[] bytes = written(message);
      assertThrows(
          MalformedMessageException.class, () -> FORMAT.readAll(bytes, 0, bytes.length), message.toString());
    }
  }

  @Test
  void unknownWireVersionIsRefused() throws Exception {
    int newest = WireVersions.CURRENT.newest();
    for (Message message : everyKind()) {
      if (message instanceof OrderMessage.Update || message instanceof TransferMessage.Snapshot) {
        byte[] bytes = written(message);
        MessageFormat later = new MessageFormat(new PrimaryBackup().messages(), new WireVersions(newest + 1, newest + 2));
        MalformedMessageException refused =
            assertThrows(
                MalformedMessageException.class, () -> later.readAll(bytes, 0, bytes.length));
        assertEquals(
            "A message is written in wire version " + newest + ", and this replica reads versions " + (newest + 1) + " to " + (newest + 2)
                + ". Install the same version on all replicas.",
            refused.getMessage());
      }
    }
  }

  @Test
  void unknownMessageOrPartIsRefused() {
    byte[] unknown = written(new MembershipMessage.PreVote(1));
    unknown[0] = (byte) 255;
    assertThrows(MalformedMessageException.class, () -> FORMAT.readAll(unknown, 0, unknown.length));
    byte[] longer = Arrays.copyOf(written(new MembershipMessage.Promise(4, VIEW, true, 17, false, -5)), 200);
    assertThrows(MalformedMessageException.class, () -> FORMAT.readAll(longer, 0, longer.length));
  }

  @Test
  void onlyUnknownAdviceIsSkipped() throws Exception {
    MembershipMessage.Heartbeat beat = new MembershipMessage.Heartbeat(VIEW, VIEW, -5, 12, 11, true, 1);
    byte[] known = written(beat);
    byte[] more = Arrays.copyOf(known, known.length + 3);
    more[known.length - 2] = (byte) (more[known.length - 2] + 3); // the length of the advisory part
    assertEquals(List.of(beat), FORMAT.readAll(more, 0, more.length), "too short for a load index of each member");
    byte[] none = Arrays.copyOf(known, known.length - 1);
    none[known.length - 2] = 0;
    assertEquals(
        List.of(new MembershipMessage.Heartbeat(VIEW, VIEW, -5, 12, 11, true, 0)), FORMAT.readAll(none, 0, none.length));
  }

  private static byte[] written(Message message) {
    MessageWriter writer = new MessageWriter(0);
    writer.write(message);
    return writer.toBytes();
  }
}
