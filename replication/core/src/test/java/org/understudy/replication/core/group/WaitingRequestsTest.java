package org.understudy.replication.core.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.core.group.GroupMessage.IndexReply;
import org.understudy.replication.core.limit.Limits;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Reply;
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

  @Test
  void sessionReadWaitsForWhatItsClientHasSeen() {
    VersionHandle seen = updated(1);
    VersionHandle next = VersionHandle.ofGroup(seen.epoch(), seen.position() + 1);
    VersionHandle later = VersionHandle.ofGroup(seen.epoch(), seen.position() + 2);
    long first = members.ask(3, Members.read(ReadLevel.SESSION, next));
    long second = members.ask(3, Members.read(ReadLevel.SESSION, later));
    members.run(10);
    assertFalse(isRunning(3, first));
    updated(2);
    assertTrue(isRunning(3, first));
    assertFalse(isRunning(3, second));
    updated(2);
    assertTrue(isRunning(3, second));
  }

  /** A forged handle holds one place of its owner, and is refused when the view changes or its replica leads. */
  @Test
  void handleFromTheFutureIsRefusedByTheSequencer() {
    VersionHandle future = VersionHandle.ofGroup(VersionHandle.MAX, VersionHandle.MAX);
    long atSequencer = members.ask(1, Members.read(ReadLevel.SESSION, future));
    assertEquals(FailureCode.NotReady, assertInstanceOf(Failure.class, members.answer(atSequencer)).code());
    long atMember = members.ask(2, Members.read(ReadLevel.SESSION, future));
    members.run(10);
    assertNull(members.answer(atMember));
    members.crash(1);
    members.run(400);
    assertEquals(FailureCode.NotReady, assertInstanceOf(Failure.class, members.answer(atMember)).code());
    updated(2);
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
