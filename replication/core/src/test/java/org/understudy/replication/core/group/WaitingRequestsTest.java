package org.understudy.replication.core.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.group.GroupMessage.IndexReply;
import org.understudy.replication.core.limit.Limits;
import org.understudy.replication.core.membership.MembershipMessage;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.update.StateChange;

/** Requests that wait at a member: for the update that their client has seen, for an index, or for a majority. */
class WaitingRequestsTest {
  private final Members members = new Members(Limits.DEFAULTS);

  private long update(int node) {
    long token = members.ask(node, Members.update("a"));
    members.returns(node, token, Map.of(), new StateChange("counter", new byte[8]));
    return token;
  }

  private VersionHandle updated(int node) {
    long token = update(node);
    members.deliver();
    members.run(2);
    return assertInstanceOf(Reply.class, members.answer(token)).handle();
  }

  private boolean isRunning(int node, long token) {
    return members.node(node).running.contains(token);
  }

  /** Members receive and acknowledge an update before any client sees it, and apply it later. */
  @Test
  void sessionReadWaitsForWhatItsClientHasSeen() {
    VersionHandle before = updated(1);
    members.lose(message -> message instanceof GroupMessage.Stable);
    long write = update(1);
    members.deliver();
    VersionHandle seen = assertInstanceOf(Reply.class, members.answer(write)).handle();
    assertTrue(seen.isAfter(before));
    long earlier = members.ask(3, Members.read(ReadLevel.SESSION, before));
    long read = members.ask(3, Members.read(ReadLevel.SESSION, seen));
    members.deliver();
    assertTrue(isRunning(3, earlier));
    assertFalse(isRunning(3, read), "this member has received the update and has not applied it");
    members.lose(message -> false);
    members.run(20);
    assertTrue(isRunning(3, read));
  }

  /** The sequencer hears of the session by its reports alone. */
  @Test
  void readThatWaitsForAnIndexLongerThanALeaseKeepsItsSession() {
    Members slow = new Members(leased(Duration.ofSeconds(1)));
    SessionId session = slow.open(3, 1);
    slow.lose(message -> message instanceof GroupMessage.IndexQuery);
    long read =
        slow.ask(
            3,
            new Request(
                new RequestKey.OfSession(session, 1), 0, Request.Kind.READ, ReadLevel.LINEARIZABLE, VersionHandle.INITIAL, 0, "",
                "reader"));
    slow.run(600);
    assertFalse(slow.node(3).running.contains(read), "it waits for three seconds");
    slow.lose(message -> false);
    slow.run(20);
    assertTrue(slow.node(3).running.contains(read), () -> "answered " + slow.answer(read));
  }

  private static Limits leased(Duration lease) {
    Limits some = Limits.DEFAULTS;
    return new Limits(
        some.unstableUpdates(), some.logBytes(), some.chunkBytes(), some.sessions(), some.openPerSession(), some.identities(),
        some.identityNanos(), lease.toNanos(), some.heldRequests(), some.bytes());
  }

  @Test
  void abandonedSessionReadFreesItsPlace() {
    updated(1);
    members.lose(message -> message instanceof GroupMessage.Stable);
    long write = update(1);
    members.deliver();
    VersionHandle seen = assertInstanceOf(Reply.class, members.answer(write)).handle();
    long read = members.ask(3, Members.read(ReadLevel.SESSION, seen));
    members.abandon(3, read);
    members.lose(message -> false);
    members.run(20);
    assertFalse(isRunning(3, read));
    assertNull(members.answer(read));
  }

  @Test
  void handleOfNoStateIsRefusedOnceTheSequencerHasAnswered() {
    VersionHandle seen = updated(1);
    for (VersionHandle forged :
        List.of(VersionHandle.ofGroup(VersionHandle.MAX, VersionHandle.MAX), VersionHandle.ofGroup(seen.epoch(), seen.position() + 1))) {
      for (int replica = 1; replica <= 3; replica++) {
        long read = members.ask(replica, Members.read(ReadLevel.SESSION, forged));
        long update =
            members.ask(
                replica,
                new Request(null, 0, Request.Kind.UPDATE, null, forged, 0, "", "a"));
        members.deliver();
        for (long token : List.of(read, update)) {
          Failure refused = assertInstanceOf(Failure.class, members.answer(token));
          assertEquals(FailureCode.BadRequest, refused.code());
          assertTrue(refused.sentence().startsWith("The version handle " + forged + " is of no state of this group"), refused.sentence());
        }
      }
    }
    updated(2);
  }

  private static Request update(VersionHandle seen) {
    return repetition(null, seen);
  }

  /** A group that began anew has lower epochs than the one before it, and soon as many updates. */
  @Test
  void handleOfALaterEpochIsRefusedOnceTheSequencerHasAnswered() {
    updated(1);
    VersionHandle seen = updated(1);
    VersionHandle earlierLife = VersionHandle.ofGroup(seen.epoch() + 1, seen.position() - 1);
    for (int replica = 1; replica <= 3; replica++) {
      long read = members.ask(replica, Members.read(ReadLevel.SESSION, earlierLife));
      long update = members.ask(replica, update(earlierLife));
      long local = members.ask(replica, Members.read(ReadLevel.LOCAL, earlierLife));
      members.deliver();
      for (long token : List.of(read, update)) {
        assertEquals(FailureCode.BadRequest, assertInstanceOf(Failure.class, members.answer(token)).code());
      }
      assertTrue(isRunning(replica, local));
    }
  }

  @Test
  void handleOfAnEarlierEpochWithUpdatesOfThisOneIsRefused() {
    VersionHandle seen = updated(1);
    VersionHandle mixed = VersionHandle.ofGroup(seen.epoch() - 1, seen.position());
    for (int replica = 1; replica <= 3; replica++) {
      long read = members.ask(replica, Members.read(ReadLevel.SESSION, mixed));
      assertEquals(FailureCode.BadRequest, assertInstanceOf(Failure.class, members.answer(read)).code());
      long update = members.ask(replica, update(mixed));
      assertEquals(FailureCode.BadRequest, assertInstanceOf(Failure.class, members.answer(update)).code());
    }
  }

  @Test
  void handleOfAnEarlierEpochIsServedInALaterOne() {
    VersionHandle seen = updated(1);
    members.crash(1);
    members.run(400);
    assertTrue(updated(2).epoch() > seen.epoch());
    assertTrue(isRunning(3, members.ask(3, Members.read(ReadLevel.SESSION, seen))));
  }

  /** The others may have formed that view, so it is not called invalid; nor is it served, because they may not have. */
  @Test
  void handleOfALaterEpochIsNotServedInAMinority() {
    VersionHandle seen = updated(1);
    members.run(10);
    leaveAlone(3);
    members.run(400);
    assertTrue(isRunning(3, members.ask(3, Members.read(ReadLevel.SESSION, seen))));
    assertNoQuorum(members.ask(3, Members.read(ReadLevel.SESSION, VersionHandle.ofGroup(seen.epoch() + 1, seen.position()))));
  }

  /** A member that the others have left without its knowledge must not call what they have done since invalid. */
  @Test
  void handleIsNotRefusedWithoutTheSequencer() {
    VersionHandle seen = updated(1);
    VersionHandle next = VersionHandle.ofGroup(seen.epoch(), seen.position() + 1);
    members.lose(message -> message instanceof IndexReply);
    long read = members.ask(2, Members.read(ReadLevel.SESSION, next));
    members.run(10);
    assertNull(members.answer(read));
    members.crash(1);
    members.run(400);
    assertEquals(FailureCode.NotReady, assertInstanceOf(Failure.class, members.answer(read)).code());
  }

  @Test
  void aHandleThatBecomesValidMeanwhileIsServed() {
    VersionHandle seen = updated(1);
    VersionHandle next = VersionHandle.ofGroup(seen.epoch(), seen.position() + 1);
    members.lose(message -> message instanceof IndexReply);
    long read = members.ask(3, Members.read(ReadLevel.SESSION, next));
    members.deliver();
    updated(2);
    members.lose(message -> false);
    members.run(20);
    assertTrue(isRunning(3, read));
  }

  @Test
  void waitingReadsAreRefusedWhenTheMajorityIsLost() {
    VersionHandle seen = updated(1);
    long waiting = members.ask(3, Members.read(ReadLevel.LINEARIZABLE, seen));
    members.crash(1);
    members.crash(2);
    members.run(400);
    assertEquals(FailureCode.NoQuorum, assertInstanceOf(Failure.class, members.answer(waiting)).code());
    long local = members.ask(3, Members.read(ReadLevel.LOCAL, VersionHandle.INITIAL));
    long update = members.ask(3, Members.update("a"));
    assertTrue(isRunning(3, local) || members.answer(local) instanceof Failure);
    assertEquals(FailureCode.NoQuorum, assertInstanceOf(Failure.class, members.answer(update)).code());
  }

  private void assertNoQuorum(long token) {
    assertEquals(FailureCode.NoQuorum, assertInstanceOf(Failure.class, members.answer(token)).code());
  }

  private void leaveAlone(int node) {
    for (int other = 1; other <= 3; other++) {
      if (other != node) {
        members.crash(other);
      }
    }
  }

  /** One update has been proposed and has no place, and others wait for its resource, or run: at a member, and at the sequencer. */
  @ParameterizedTest
  @ValueSource(ints = {3, 1})
  void updatesThatRunAreRefusedWhenTheMajorityIsLostAndFreeTheirResources(int node) {
    updated(1);
    leaveAlone(node);
    long proposed = update(node);
    long behind = members.ask(node, Members.update("a"));
    long again = members.ask(node, Members.update("a"));
    members.abandon(node, again);
    assertTrue(isRunning(node, behind));
    members.run(400);
    assertNoQuorum(behind);
    assertNull(members.answer(proposed), "a member may hold its proposal");
    assertEquals(1, members.node(node).rollbacks, "the proposed run holds its resource");
    members.returns(node, behind, Map.of(), new StateChange("counter", new byte[8]));
    assertEquals(2, members.node(node).rollbacks);
  }

  @Test
  void updateThatReturnsInTheMinorityIsRefused() {
    updated(1);
    leaveAlone(3);
    long token = members.ask(3, Members.update("a"));
    members.run(150);
    members.returns(3, token, Map.of(), new StateChange("counter", new byte[8]));
    members.run(400);
    assertNoQuorum(token);
    assertEquals(1, members.node(3).rollbacks);
  }

  @Test
  void updateWhoseRunWasRolledBackInTheMinorityIsAnsweredOnceItHasItsPlace() {
    updated(1);
    leaveAlone(3);
    long proposed = update(3);
    members.run(400);
    assertEquals(1, members.node(3).rollbacks);
    members.resume(1);
    members.resume(2);
    members.run(400);
    Reply reply = assertInstanceOf(Reply.class, members.answer(proposed));
    assertEquals(Reply.Status.EXECUTED, reply.status());
    assertTrue(members.node(3).applied.contains(reply.handle().position()), "the run's own changes are gone");
    assertEquals(1, members.node(3).rollbacks);
    members.digest();
  }

  /** The first attempt may get its place, so its repetition waits with it. */
  @Test
  void repetitionOfAProposedUpdateWaitsForItsPlaceInTheMinority() {
    RequestKey key = new RequestKey.OfMessageId(1, 1);
    leaveAlone(3);
    long proposed = members.ask(3, Members.update(key, "a"));
    members.returns(3, proposed, Map.of(), new StateChange("counter", new byte[8]));
    members.run(400);
    long repetition = members.ask(3, Members.update(key, "a"));
    assertNoQuorum(members.ask(3, Members.update(new RequestKey.OfMessageId(1, 2), "a")));
    members.run(400);
    assertNull(members.answer(repetition), "the first attempt may get its place");
    members.resume(1);
    members.resume(2);
    members.run(400);
    assertEquals(Reply.Status.EXECUTED, assertInstanceOf(Reply.class, members.answer(proposed)).status());
    assertEquals(Reply.Status.REPLAYED, assertInstanceOf(Reply.class, members.answer(repetition)).status());
    members.digest();
  }

  @Test
  void repetitionOfAStableUpdateGetsItsReplyInTheMinority() {
    RequestKey key = new RequestKey.OfMessageId(1, 1);
    long first = members.ask(1, Members.update(key, "a"));
    members.returns(1, first, Map.of(), new StateChange("counter", new byte[8]));
    members.run(10);
    leaveAlone(3);
    members.run(400);
    long repetition = members.ask(3, Members.update(key, "a"));
    assertEquals(Reply.Status.REPLAYED, assertInstanceOf(Reply.class, members.answer(repetition)).status());
    Request other = new Request(key, 7, Request.Kind.UPDATE, null, VersionHandle.INITIAL, 0, "", "a");
    assertNoQuorum(members.ask(3, other));
  }

  private static Request repetition(RequestKey key, VersionHandle seen) {
    return new Request(key, 0, Request.Kind.UPDATE, null, seen, 0, "", "a");
  }

  /** The client has seen a later view elsewhere, so the repetition waits for the sequencer, which is lost. */
  @Test
  void repetitionThatWaitsForAnIndexIsNotRefusedInTheMinority() {
    VersionHandle seen = updated(1);
    RequestKey key = new RequestKey.OfMessageId(1, 1);
    VersionHandle later = VersionHandle.ofGroup(seen.epoch() + 1, seen.position());
    leaveAlone(3);
    long proposed = members.ask(3, Members.update(key, "a"));
    members.returns(3, proposed, Map.of(), new StateChange("counter", new byte[8]));
    long repetition = members.ask(3, repetition(key, later));
    long other = members.ask(3, repetition(new RequestKey.OfMessageId(1, 2), later));
    members.run(400);
    assertNoQuorum(other);
    assertNull(members.answer(repetition), "the first attempt may get its place");
    members.resume(1);
    members.resume(2);
    members.run(400);
    assertEquals(Reply.Status.EXECUTED, assertInstanceOf(Reply.class, members.answer(proposed)).status());
    assertEquals(Reply.Status.REPLAYED, assertInstanceOf(Reply.class, members.answer(repetition)).status());
  }

  @Test
  void repetitionOfAStableUpdateThatWaitsForAnIndexGetsItsReplyInTheMinority() {
    RequestKey key = new RequestKey.OfMessageId(1, 1);
    long first = members.ask(1, Members.update(key, "a"));
    members.returns(1, first, Map.of(), new StateChange("counter", new byte[8]));
    members.run(10);
    VersionHandle seen = assertInstanceOf(Reply.class, members.answer(first)).handle();
    leaveAlone(3);
    long repetition = members.ask(3, repetition(key, VersionHandle.ofGroup(seen.epoch() + 1, seen.position())));
    assertNull(members.answer(repetition));
    members.run(400);
    assertEquals(Reply.Status.REPLAYED, assertInstanceOf(Reply.class, members.answer(repetition)).status());
  }

  @Test
  void updateThatWaitsForAnIndexIsServedInTheNextView() {
    VersionHandle seen = updated(1);
    members.lose(message -> message instanceof IndexReply);
    VersionHandle later = VersionHandle.ofGroup(seen.epoch() + 1, seen.position());
    long update = members.ask(2, repetition(new RequestKey.OfMessageId(1, 1), later));
    members.run(10);
    assertNull(members.answer(update));
    members.crash(1);
    members.run(400);
    assertTrue(isRunning(2, update));
  }

  /** The others have formed a view without this replica: what it had proposed may have taken effect there. */
  @Test
  void repetitionOfAProposalEndsWithItWhenTheViewIsLeft() {
    VersionHandle seen = updated(1);
    RequestKey key = new RequestKey.OfMessageId(1, 1);
    members.lose(message -> message instanceof GroupMessage.Proposal);
    long proposed = members.ask(3, Members.update(key, "a"));
    members.returns(3, proposed, Map.of(), new StateChange("counter", new byte[8]));
    long repetition = members.ask(3, repetition(key, VersionHandle.ofGroup(seen.epoch() + 1, seen.position())));
    members.crash(3);
    members.run(400);
    updated(1);
    members.resume(3);
    members.lose(message -> false);
    members.run(400);
    for (long token : List.of(proposed, repetition)) {
      assertEquals(FailureCode.OutcomeUnknown, assertInstanceOf(Failure.class, members.answer(token)).code());
    }
  }

  /** It has the state of views in which it was not a member, and has promised to join another one: no handle of its own shows the reply. */
  @Test
  void repetitionAtAReplicaThatNeverJoinedIsNotCalledUnexecuted() {
    RequestKey key = new RequestKey.OfMessageId(1, 1);
    updated(1);
    members.crash(3);
    members.run(400);
    long first = members.ask(1, Members.update(key, "a"));
    members.returns(1, first, Map.of(), new StateChange("counter", new byte[8]));
    members.run(10);
    members.resume(3);
    awaitRole(Role.JOINING);
    members.lose(message -> message instanceof MembershipMessage.NewView);
    awaitRole(Role.CHANGING);
    long repetition = members.ask(3, Members.update(key, "a"));
    long other = members.ask(3, Members.update(new RequestKey.OfMessageId(1, 2), "a"));
    leaveAlone(3);
    members.run(400);
    assertNoQuorum(other);
    assertEquals(FailureCode.OutcomeUnknown, assertInstanceOf(Failure.class, members.answer(repetition)).code());
  }

  private void awaitRole(Role role) {
    for (int i = 0; i < 400 && members.node(3).role != role; i++) {
      members.run(1);
    }
    assertEquals(role, members.node(3).role);
  }

  /** A run that is refused at its place begins anew, although it was rolled back before. */
  @Test
  void runThatWasRolledBackInTheMinorityBeginsAnewWhenAnotherOneCameBeforeIt() {
    updated(1);
    members.lose(message -> message instanceof GroupMessage.Proposal);
    long first = update(3);
    leaveAlone(3);
    members.run(400);
    assertEquals(1, members.node(3).rollbacks);
    members.resume(1);
    members.resume(2);
    members.run(400);
    updated(1);
    members.lose(message -> false);
    // What was sent in vain for long is not sent again at once.
    members.run(200);
    assertEquals(1, members.node(3).rollbacks, "there is nothing left to roll back");
    members.returns(3, first, Map.of(), new StateChange("counter", new byte[8]));
    members.run(20);
    assertInstanceOf(Reply.class, members.answer(first));
    assertEquals(1, members.node(3).rollbacks);
    members.digest();
  }

  @Test
  void lossAndReturnOfTheMajorityAreLoggedOnceEach() {
    updated(1);
    members.run(100);
    assertEquals(List.of(), members.node(3).lines);
    leaveAlone(3);
    members.run(1_000);
    String lost =
        "Replica 3 has lost the majority: fewer than 2 of 3 replicas are in contact. It serves no updates and no linearizable reads. "
            + "Check the other replicas and the network to them.";
    assertEquals(List.of(lost), members.node(3).lines);
    members.resume(1);
    members.resume(2);
    members.run(1_000);
    assertEquals(2, members.node(3).lines.size(), members.node(3).lines::toString);
    assertTrue(members.node(3).lines.get(1).startsWith("Replica 3 has a majority again, in view "), members.node(3).lines::toString);
  }

  /** One replica that leaves costs a view change and no majority. */
  @Test
  void nothingIsLoggedWhileAMajorityRemains() {
    members.crash(1);
    members.run(1_000);
    assertEquals(List.of(), members.node(2).lines);
    assertEquals(List.of(), members.node(3).lines);
  }

  @Test
  void abandonedReadsFreeTheirPlaces() {
    members.lose(message -> message instanceof IndexReply);
    long first = members.ask(3, Members.read(ReadLevel.LINEARIZABLE, VersionHandle.INITIAL));
    long second = members.ask(3, Members.read(ReadLevel.LINEARIZABLE, VersionHandle.INITIAL));
    members.deliver();
    members.abandon(3, first);
    members.lose(message -> false);
    members.run(20);
    assertTrue(isRunning(3, second));
    assertFalse(isRunning(3, first));
    assertNull(members.answer(first));
  }

  @Test
  void readsAreServedInTheOrderOfTheirIndexes() {
    updated(1);
    members.lose(message -> message instanceof GroupMessage.Stable);
    update(1);
    members.deliver();
    long behind = members.ask(3, Members.read(ReadLevel.LINEARIZABLE, VersionHandle.INITIAL));
    members.deliver();
    assertFalse(isRunning(3, behind), "the sequencer had applied an update that this member has not");
    members.lose(message -> false);
    members.run(20);
    assertTrue(isRunning(3, behind));
  }
}
