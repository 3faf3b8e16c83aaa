package org.understudy.replication.core.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.group.GroupMessage.Delegation;
import org.understudy.replication.core.group.GroupMessage.IndexQuery;
import org.understudy.replication.core.group.GroupMessage.Proposal;
import org.understudy.replication.core.group.GroupMessage.Recall;
import org.understudy.replication.core.group.GroupMessage.Return;
import org.understudy.replication.core.limit.ByteLimits;
import org.understudy.replication.core.limit.Limits;
import org.understudy.replication.core.order.OrderMessage.Ack;
import org.understudy.replication.core.order.OrderMessage.Update;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.RequestKey;

/** The sequencer delegates the order to a member that alone proposes, and recalls it. */
class DelegateTest {
  private static final int SUCCESSION = DelegationPolicy.DEFAULT.succession();

  /** The index of the last update before those of a test: the sequencer's limits. */
  private static final int BEFORE = 1;

  /** With sessions that expire after a second. */
  private static final Limits SHORT_SESSIONS =
      new Limits(
          10_000, 64L << 20, 256 << 10, 100_000, 2_048, 800_000, 120_000_000_000L, 1_000_000_000L, 4_096, ByteLimits.DEFAULTS);

  private final Members members = new Members(SHORT_SESSIONS);

  /** The request has run; its proposal is sent and not delivered. Returns its token. */
  private long propose(int replica) {
    long token = members.ask(replica, Members.update("caller"));
    members.deliver();
    members.returns(replica, token, Map.of("key " + replica, 0L));
    return token;
  }

  private void update(int replica) {
    long token = propose(replica);
    members.deliver();
    assertInstanceOf(Reply.class, members.answer(token));
  }

  private void updates(int replica, int count) {
    for (int i = 0; i < count; i++) {
      update(replica);
    }
  }

  private <T extends Message> List<T> sent(int replica, Class<T> kind) {
    return members.node(replica).sent.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  @Test
  void memberThatAloneProposesPlacesItsProposals() {
    updates(2, SUCCESSION);
    assertEquals(SUCCESSION, sent(2, Proposal.class).size());
    assertEquals(List.of(new Delegation(1, 1, BEFORE + SUCCESSION, SUCCESSION)), sent(1, Delegation.class));
    assertEquals(0, sent(2, Update.class).size());
    updates(2, 3);
    assertEquals(SUCCESSION, sent(2, Proposal.class).size(), "no message to the sequencer before the update");
    assertEquals(3 * 2, sent(2, Update.class).size(), "to each other member");
    members.run(1);
    members.digest();
  }

  @Test
  void readsOfOtherMembersAreNoReasonAgainstADelegation() {
    for (int i = 0; i < SUCCESSION; i++) {
      update(2);
      members.ask(3, Members.read(ReadLevel.LINEARIZABLE, VersionHandle.INITIAL));
      members.deliver();
    }
    assertEquals(1, sent(1, Delegation.class).size());
    assertEquals(SUCCESSION, sent(3, IndexQuery.class).size());
  }

  @Test
  void proposalOfAnotherReplicaEndsTheDelegation() {
    updates(2, SUCCESSION + 5);
    update(3);
    assertEquals(List.of(new Recall(1, 1)), sent(1, Recall.class));
    assertEquals(List.of(new Return(1, 1, BEFORE + SUCCESSION + 5)), sent(2, Return.class));
    updates(1, SUCCESSION);
    assertEquals(1, sent(1, Delegation.class).size(), "the sequencer places its own in any case");
    updates(3, SUCCESSION);
    assertEquals(2, sent(1, Delegation.class).size());
    members.run(1);
    members.digest();
  }

  @Test
  void delegationEndsWhenItIsNotUsed() {
    updates(2, SUCCESSION + 1);
    members.run(19);
    assertEquals(List.of(), sent(1, Recall.class));
    members.run(10);
    assertEquals(List.of(new Return(1, 1, BEFORE + SUCCESSION + 1)), sent(2, Return.class));
    update(2);
    assertEquals(SUCCESSION + 1, sent(2, Proposal.class).size(), "through the sequencer");
  }

  /** Two members that take turns are served without: each delegation that was of no use makes the next one rarer. */
  @Test
  void delegationsOfNoUseBecomeRare() {
    for (int i = 0; i < 100; i++) {
      updates(2, SUCCESSION);
      updates(3, SUCCESSION);
    }
    int delegations = sent(1, Delegation.class).size();
    assertTrue(delegations > 0 && delegations <= 2, delegations + " delegations");
  }

  /** However many callers the delegate has: its updates wait for the recall, as the acknowledgements do not reach it. */
  @Test
  void delegationUnderWhichNothingBecomesStableIsOfNoUse() {
    updates(2, SUCCESSION);
    members.lose(message -> message instanceof Ack);
    List<Long> open = new ArrayList<>();
    for (int i = 0; i < SUCCESSION + 1; i++) {
      open.add(propose(2));
    }
    members.deliver();
    members.run(15);
    assertEquals(1, sent(1, Recall.class).size());
    members.lose(message -> false);
    members.run(30);
    open.forEach(token -> assertInstanceOf(Reply.class, members.answer(token)));
    update(2);
    assertEquals(1, sent(1, Delegation.class).size());
    members.run(1);
    members.digest();
  }

  /** The network repeats it: its proposals have their places. */
  @Test
  void repeatedDelegationPlacesNothingTwice() {
    updates(2, SUCCESSION);
    long open = propose(2);
    Delegation delegation = sent(1, Delegation.class).get(0);
    int before = sent(2, Update.class).size();
    members.node(2).step(new Input.Received(new ReplicaId(1), delegation));
    assertEquals(before, sent(2, Update.class).size());
    members.deliver();
    assertInstanceOf(Reply.class, members.answer(open));
    members.run(1);
    members.digest();
  }

  /** What the member has proposed before it receives the delegation, it places itself; the sequencer does not. */
  @Test
  void proposalsOnTheirWayToTheSequencerArePlacedOnce() {
    updates(2, SUCCESSION - 1);
    long last = propose(2);
    long next = propose(2);
    members.deliver();
    assertInstanceOf(Reply.class, members.answer(last));
    assertInstanceOf(Reply.class, members.answer(next));
    assertEquals(1, sent(1, Delegation.class).size());
    assertEquals(1 * 2, sent(2, Update.class).size());
    members.run(1);
    members.digest();
  }

  /** Its recall brings the order back, and the member's callers wait for that only. */
  @Test
  void lostDelegationIsRecalled() {
    members.lose(message -> message instanceof Delegation);
    updates(2, SUCCESSION);
    long lost = propose(2);
    members.deliver();
    assertNull(members.answer(lost));
    members.run(50);
    assertInstanceOf(Reply.class, members.answer(lost));
    assertEquals(new Return(1, 1, 0), sent(2, Return.class).get(0));
    members.digest();
  }

  /** The sequencer lacks what the member has placed, until it has asked for it. */
  @Test
  void orderReturnsWithAllThatWasPlaced() {
    updates(2, SUCCESSION);
    members.lose(message -> message instanceof Update update && update.updateIndex() > BEFORE + SUCCESSION);
    long lost = propose(2);
    members.deliver();
    members.lose(message -> false);
    long other = propose(3);
    members.deliver();
    members.run(20);
    assertInstanceOf(Reply.class, members.answer(lost));
    assertInstanceOf(Reply.class, members.answer(other));
    members.digest();
  }

  /** A group channel reaches the sequencer for a moment, and would lose what it accepts. */
  @Test
  void delegatePlacesItsProposalsAlsoWhenAChannelComesAndGoes() {
    updates(2, SUCCESSION + 1);
    members.node(2).channelReaches(1, 2, 3);
    long lost = propose(2);
    members.node(2).channelReaches();
    long next = propose(2);
    members.run(50);
    assertInstanceOf(Reply.class, members.answer(lost));
    assertInstanceOf(Reply.class, members.answer(next));
    members.digest();
  }

  /** The order of a channel is needed as soon as it reaches the members. */
  @Test
  void groupChannelEndsTheDelegation() {
    updates(2, SUCCESSION + 1);
    members.node(1).channelReaches(1, 2, 3);
    members.run(1);
    assertEquals(1, sent(2, Return.class).size());
    updates(2, 2 * SUCCESSION);
    assertEquals(1, sent(1, Delegation.class).size());
  }

  /** Each update would wait until the sequencer has sent it again. */
  @Test
  void delegateThatDoesNotReachAMemberHasTheOrderRarely() {
    updates(2, SUCCESSION);
    members.cut(2, 3);
    int ticks = 0;
    for (int i = 0; i < 200; i++) {
      long token = propose(2);
      members.deliver();
      for (; members.answer(token) == null; ticks++) {
        members.run(1);
      }
    }
    assertTrue(sent(1, Delegation.class).size() <= 5, sent(1, Delegation.class).size() + " delegations");
    assertTrue(ticks < 400, ticks + " ticks");
    members.run(20);
    members.digest();
  }

  /** Updates of a client follow each other at replica 2, which has the order, until the condition holds. */
  private void updatesUntil(BooleanSupplier condition) {
    for (int i = 0; i < 600 && !condition.getAsBoolean(); i++) {
      long token = members.ask(2, Members.update("caller"));
      if (members.node(2).running.contains(token)) {
        members.returns(2, token, Map.of("key " + i, 0L));
      }
      members.run(1);
    }
    assertTrue(condition.getAsBoolean());
  }

  /** What it places shows that the sequencer hears it, not that it hears the sequencer. */
  @Test
  void delegateThatDoesNotHearTheSequencerIsLeftOut() {
    updates(2, SUCCESSION + 1);
    members.cut(1, 2);
    long other = propose(3);
    updatesUntil(() -> members.answer(other) != null);
    assertInstanceOf(Reply.class, members.answer(other));
  }

  /** What it acknowledges shows that it hears the delegate. */
  @Test
  void memberThatHearsTheDelegateAloneIsLeftOut() {
    updates(2, SUCCESSION + 1);
    members.cut(1, 3);
    updatesUntil(() -> !members.node(1).core.status(0).view().contains(new ReplicaId(3)));
  }

  /** The sequencer finds a session silent while another member has the order, and hears of it before its end has its place. */
  @Test
  void sessionThatIsHeardBeforeItsEndHasAPlaceGoesOn() {
    SessionId session = members.open(3, 1);
    RequestKey first = new RequestKey.OfSession(session, 1);
    long begun = members.ask(3, Members.update(first, "caller 1"));
    members.deliver();
    members.returns(3, begun, Map.of("key 3", 0L));
    members.run(2);
    assertInstanceOf(Reply.class, members.answer(begun));
    updates(2, 4 * SUCCESSION);
    members.lose(message -> message instanceof Return);
    for (int i = 0; i < 1_000 && sent(1, Recall.class).isEmpty(); i++) {
      update(2);
      members.run(1);
    }
    assertEquals(1, sent(1, Recall.class).size(), "because the session is silent");
    long second = members.ask(3, Members.update(new RequestKey.OfSession(session, 2), "caller 1"));
    members.deliver();
    members.returns(3, second, Map.of("key 3", 0L));
    members.run(1);
    members.lose(message -> false);
    members.run(40);
    assertInstanceOf(Reply.class, members.answer(second));
    long third = members.ask(3, Members.update(new RequestKey.OfSession(session, 3), "caller 1"));
    members.deliver();
    members.returns(3, third, Map.of("key 3", 0L));
    members.run(20);
    assertInstanceOf(Reply.class, members.answer(third));
    members.digest();
  }
}
