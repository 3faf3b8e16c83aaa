package org.understudy.replication.core.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.limit.Limits;
import org.understudy.replication.core.membership.MembershipMessage.Heartbeat;
import org.understudy.replication.core.membership.MembershipMessage.Prepare;
import org.understudy.replication.core.order.OrderMessage.Ack;
import org.understudy.replication.core.order.OrderMessage.Update;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.update.StateChange;

/** Members acknowledge an update to its proposer too, which answers when all of them have. */
class ProposerCountsTest {
  private final Members members = new Members(Limits.DEFAULTS);

  private static boolean isNotice(Message message) {
    return message instanceof GroupMessage.Stable || message instanceof Heartbeat;
  }

  private long update(int node) {
    long token = members.ask(node, Members.update("a"));
    members.returns(node, token, Map.of(), new StateChange("counter of replica " + node, new byte[8]));
    return token;
  }

  private VersionHandle answered(long token) {
    return assertInstanceOf(Reply.class, members.answer(token)).handle();
  }

  @Test
  void proposerAnswersWithoutTheSequencer() {
    members.lose(ProposerCountsTest::isNotice);
    long first = update(3);
    members.deliver();
    answered(first);
    long second = update(2);
    members.deliver();
    answered(second);
    assertEquals(3, members.node(1).core.status(0).view().members().size());
  }

  /** The last acknowledgement arrives, and then the update itself: its callers do not wait for anything else. */
  @Test
  void acknowledgementsMayPrecedeTheUpdate() {
    List<Message> updates = new ArrayList<>();
    members.lose(message -> {
      if (isNotice(message)) {
        return true;
      }
      if (!(message instanceof Update) || !updates.isEmpty()) {
        return false;
      }
      // To replica 2, before the same one to replica 3.
      return updates.add(message);
    });
    long token = update(2);
    members.deliver();
    assertNull(members.answer(token));
    members.node(2).step(new Input.Received(new ReplicaId(1), updates.get(0)));
    answered(token);
    members.lose(message -> false);
    members.run(20);
    members.digest();
  }

  /** A member has promised another view when its acknowledgement arrives. That view begins with all that its members hold. */
  @Test
  void updateAnsweredAfterAnotherPromiseIsInTheNextView() {
    members.lose(message -> message instanceof Ack);
    long token = update(2);
    members.deliver();
    Ack late = last(members.node(3), Ack.class);
    replicaThreePromises();
    assertNull(members.answer(token));
    members.node(2).step(new Input.Received(new ReplicaId(3), late));
    VersionHandle seen = answered(token);
    members.lose(message -> false);
    members.run(200);
    assertEquals(2, members.node(3).core.status(0).view().members().size());
    long read = members.ask(3, Members.read(ReadLevel.SESSION, seen));
    members.deliver();
    assertTrue(members.node(3).running.contains(read));
    assertEquals(1, members.node(3).applied.stream().filter(version -> version == seen.position()).count());
    members.digest();
  }

  /** The sequencer is gone, and replica 3 is a candidate that has promised to itself only. */
  private void replicaThreePromises() {
    members.crash(1);
    members.lose(message -> message instanceof Prepare);
    for (int tick = 0; tick < 1_000 && members.node(3).role != Role.CHANGING; tick++) {
      members.run(1);
    }
    assertEquals(Role.CHANGING, members.node(3).role);
    assertEquals(Role.BACKUP, members.node(2).role);
  }

  private static <M extends Message> M last(Members.Node node, Class<M> type) {
    List<M> all = node.sent.stream().filter(type::isInstance).map(type::cast).toList();
    return all.get(all.size() - 1);
  }

  /** Once this replica has promised, it counts no acknowledgement of the view that it leaves. */
  @Test
  void acknowledgementsOfAViewBeforeThePromiseAreDropped() {
    members.lose(message -> message instanceof Ack);
    long token = update(3);
    members.deliver();
    Ack late = last(members.node(2), Ack.class);
    replicaThreePromises();
    members.node(3).step(new Input.Received(new ReplicaId(2), late));
    assertNull(members.answer(token));
    members.lose(message -> false);
    members.run(200);
    answered(token);
    members.digest();
  }

  /** A read at a member that does not know it yet waits until it does. */
  @Test
  void linearizableReadElsewhereShowsWhatTheProposerHasAnswered() {
    long before = update(1);
    members.deliver();
    members.run(2);
    answered(before);
    members.lose(ProposerCountsTest::isNotice);
    long token = update(2);
    List<Message> acknowledgements = new ArrayList<>();
    members.lose(message -> isNotice(message) || (message instanceof Ack && isSecondOf(message, acknowledgements)));
    members.deliver();
    answered(token);
    long read = members.ask(1, Members.read(ReadLevel.LINEARIZABLE, VersionHandle.INITIAL));
    long elsewhere = members.ask(3, Members.read(ReadLevel.LINEARIZABLE, VersionHandle.INITIAL));
    members.deliver();
    assertFalse(members.node(1).running.contains(read));
    assertFalse(members.node(3).running.contains(elsewhere));
    members.lose(message -> false);
    members.run(20);
    assertTrue(members.node(1).running.contains(read));
    assertTrue(members.node(3).running.contains(elsewhere));
  }

  /** With journals only the sequencer counts. So no client has seen an update that is not stable there, and no read waits for it. */
  @Test
  void withJournalsAReadDoesNotWaitForAnUpdateThatIsNotSynced() {
    Members journaled = Members.withJournals();
    journaled.node(3).stall();
    long token = journaled.ask(2, Members.update("a"));
    journaled.returns(2, token, Map.of(), new StateChange("counter", new byte[8]));
    journaled.deliver();
    for (int node = 1; node <= 3; node++) {
      long read = journaled.ask(node, Members.read(ReadLevel.LINEARIZABLE, VersionHandle.INITIAL));
      journaled.run(2);
      assertTrue(journaled.node(node).running.contains(read), "at replica " + node);
    }
    assertNull(journaled.answer(token));
    journaled.node(3).sync();
    journaled.lose(message -> message instanceof GroupMessage.Stable);
    journaled.deliver();
    // The sequencer knows that the update is stable, replica 3 does not yet. Any replica may have answered its client.
    long late = journaled.ask(3, Members.read(ReadLevel.LINEARIZABLE, VersionHandle.INITIAL));
    journaled.deliver();
    assertFalse(journaled.node(3).running.contains(late));
    journaled.lose(message -> false);
    journaled.run(20);
    assertTrue(journaled.node(3).running.contains(late));
    assertInstanceOf(Reply.class, journaled.answer(token));
    journaled.digest();
  }

  /** A member sends the same acknowledgement to the proposer, then to the sequencer. */
  private static boolean isSecondOf(Message message, List<Message> before) {
    boolean second = before.stream().anyMatch(one -> one == message);
    before.add(message);
    return second;
  }
}
