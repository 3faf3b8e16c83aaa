package org.understudy.channel.spread.order;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.understudy.channel.batch.OutgoingBatches;
import org.understudy.channel.batch.Piece;
import org.understudy.channel.spread.session.GroupId;
import org.understudy.channel.spread.session.ServiceLevel;
import org.understudy.channel.spread.session.SessionEvent;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.wire.WireVersions;
import org.understudy.replication.runtime.codec.MessageFormat;
import org.understudy.test.channel.Received;
import org.understudy.test.channel.Word;

/** Which frames count in which membership. */
class IncomingTest {
  private static final List<ReplicaId> ALL = List.of(new ReplicaId(1), new ReplicaId(2));
  private static final String STRANGER = "#stranger#d9";

  private final GroupNames names = new GroupNames("house", "a secret of the tests".getBytes(StandardCharsets.UTF_8));
  private final String own = "#" + names.sessionName(ALL.get(0), (short) 1) + "#d1";
  private final String other = "#" + names.sessionName(ALL.get(1), (short) 1) + "#d2";
  private final OutgoingBatches outgoing = new OutgoingBatches(1 << 20);
  private final Received received = new Received();
  private final Incoming incoming =
      new Incoming(names, ALL, own, new MessageFormat(List.of(Word.KIND), WireVersions.CURRENT), outgoing);
  private int memberships;

  private void install(SessionEvent.Cause cause, List<String> members, List<String> set) throws Exception {
    incoming.accept(
        new SessionEvent.Membership(names.group(), new GroupId(1, 1, ++memberships), members, cause, set), this, received);
  }

  private void deliver(String sender, Piece piece, GroupId in) throws Exception {
    ByteBuffer content = ByteBuffer.allocate(1_000);
    for (ByteBuffer part : new Frame(in, piece.number(), piece.last(), piece.content()).encode(names, sender)) {
      content.put(part);
    }
    incoming.accept(
        new SessionEvent.Multicast(ServiceLevel.AGREED, sender, List.of(names.group()), content.flip()), this, received);
  }

  /** Otherwise a stranger that joins and leaves without end keeps the replicas from ever sending anything. */
  @Test
  void strangersThatComeAndGoDropNothing() throws Exception {
    install(SessionEvent.Cause.JOIN, List.of(own), List.of(own));
    install(SessionEvent.Cause.JOIN, List.of(own, other), List.of(other));
    outgoing.add(new Word("hello"));
    Piece piece = outgoing.next();
    GroupId in = incoming.view();
    install(SessionEvent.Cause.JOIN, List.of(own, other, STRANGER), List.of(STRANGER));
    install(SessionEvent.Cause.DISCONNECT, List.of(own, other), List.of(STRANGER));
    assertNull(outgoing.next(), "It is not sent again.");
    deliver(own, piece, in);
    assertEquals(List.of("view [1]", "view [1, 2]", "1:hello"), received.events());
  }

  @Test
  void frameOfAMembershipWithOtherReplicasIsSentAgain() throws Exception {
    install(SessionEvent.Cause.JOIN, List.of(own), List.of(own));
    outgoing.add(new Word("hello"));
    Piece piece = outgoing.next();
    GroupId in = incoming.view();
    install(SessionEvent.Cause.JOIN, List.of(own, other), List.of(other));
    deliver(own, piece, in);
    assertEquals(List.of("view [1]", "view [1, 2]"), received.events());
    Piece again = outgoing.next();
    assertTrue(again.last());
    deliver(own, again, incoming.view());
    assertEquals(List.of("view [1]", "view [1, 2]", "1:hello"), received.events());
  }
}
