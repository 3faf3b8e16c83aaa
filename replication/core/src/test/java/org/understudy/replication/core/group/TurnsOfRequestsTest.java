package org.understudy.replication.core.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.limit.Limits;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.update.StateChange;

/** A slow method at replica 2 changes what other replicas change all the time. It suspects others after half a second. */
class TurnsOfRequestsTest {
  /** Twenty suspicion times. */
  private static final int LONG = 2_000;

  private final Members members = new Members(Limits.DEFAULTS);

  private static StateChange change(String key) {
    return new StateChange(key, new byte[8]);
  }

  /** Begins an update at this replica, which returns at once. */
  private long update(int node, String key) {
    long token = members.ask(node, Members.update("other"));
    returns(node, token, key);
    members.deliver();
    return token;
  }

  private void returns(int node, long token, String... keys) {
    StateChange[] changes = new StateChange[keys.length];
    for (int i = 0; i < keys.length; i++) {
      changes[i] = change(keys[i]);
    }
    members.returns(node, token, Map.of(keys[0], 0L), changes);
  }

  private boolean isRunning(int node, long token) {
    return members.node(node).running.contains(token);
  }

  /** Each of three runs of the slow method is refused, because another replica has changed the key meanwhile. */
  private long refusedThreeTimes() {
    long slow = members.ask(2, Members.update("slow"));
    for (int i = 0; i < 3; i++) {
      long other = update(1, "r");
      members.run(2);
      assertInstanceOf(Reply.class, members.answer(other));
      assertTrue(isRunning(2, slow));
      returns(2, slow, "r");
    }
    members.deliver();
    members.run(2);
    assertTrue(isRunning(2, slow), "with its turn");
    return slow;
  }

  @Test
  void slowMethodSucceedsInItsTurnWhileOthersGoOn() {
    long slow = refusedThreeTimes();
    long same = update(1, "r");
    members.run(LONG);
    assertNull(members.answer(same), "it waits for the turn");
    for (int node = 1; node <= 3; node++) {
      long other = update(node, "other");
      members.run(2);
      assertInstanceOf(Reply.class, members.answer(other), "at replica " + node);
    }
    returns(2, slow, "r");
    members.deliver();
    members.run(2);
    assertInstanceOf(Reply.class, members.answer(slow));
    assertTrue(isRunning(1, same), "the turn is over");
    returns(1, same, "r");
    members.deliver();
    members.run(2);
    assertInstanceOf(Reply.class, members.answer(same));
    members.digest();
  }

  /** The run in the turn touches something else than the one before. */
  @Test
  void methodWhoseKeysVaryExcludesAllOthers() {
    long slow = refusedThreeTimes();
    update(1, "s");
    members.run(2);
    returns(2, slow, "s", "r");
    members.deliver();
    members.run(2);
    assertTrue(isRunning(2, slow), "with another turn");
    long other = update(3, "other");
    members.run(2);
    assertNull(members.answer(other), "all others wait");
    returns(2, slow, "t", "s");
    members.deliver();
    members.run(2);
    assertInstanceOf(Reply.class, members.answer(slow));
    assertTrue(isRunning(3, other));
  }

  @Test
  void requestThatTwoTurnsHaveNotHelpedFailsNotExecuted() {
    long slow = refusedThreeTimes();
    update(1, "s");
    members.run(2);
    returns(2, slow, "s", "r");
    members.deliver();
    members.run(LONG);
    assertTrue(isRunning(2, slow), "its turn has ended, and it runs on");
    long other = update(3, "s");
    members.run(2);
    assertInstanceOf(Reply.class, members.answer(other), "no turn is left");
    returns(2, slow, "s");
    members.deliver();
    members.run(2);
    Failure refused = assertInstanceOf(Failure.class, members.answer(slow));
    assertEquals(FailureCode.Overloaded, refused.code());
    assertTrue(refused.sentence().startsWith("The method has run 5 times, and each time "), refused.sentence());
    assertTrue(refused.sentence().contains("2000 ms"), refused.sentence());
    assertFalse(isRunning(2, slow));
    members.digest();
  }

  /** Its caller has been answered as StillPending. */
  @Test
  void turnEndsWhenTheMethodTakesLongerThanItMay() {
    refusedThreeTimes();
    long same = update(1, "r");
    members.run(2);
    assertNull(members.answer(same));
    long slow = members.node(2).running.get(0);
    members.overdue(2, slow);
    members.deliver();
    members.run(2);
    assertTrue(isRunning(1, same));
    returns(1, same, "r");
    members.deliver();
    members.run(2);
    assertInstanceOf(Reply.class, members.answer(same));
    assertTrue(isRunning(2, slow));
  }

  /** A client repeats a slow request at another replica, and both have taken turns. */
  @Test
  void repetitionDoesNotRunInItsTurnWhenTheRequestIsExecuted() {
    RequestKey key = new RequestKey.OfMessageId(5, 6);
    long repetition = members.ask(3, Members.update(key, "slow"));
    long slow = members.ask(2, Members.update(key, "slow"));
    for (int i = 0; i < 3; i++) {
      update(1, "r");
      members.run(2);
      returns(2, slow, "r");
      returns(3, repetition, "r");
    }
    members.deliver();
    members.run(2);
    assertTrue(isRunning(2, slow), "its turn is the first");
    assertFalse(isRunning(3, repetition));
    int executions = members.node(3).executions;
    returns(2, slow, "r");
    members.deliver();
    members.run(2);
    assertEquals(Reply.Status.EXECUTED, assertInstanceOf(Reply.class, members.answer(slow)).status());
    assertEquals(Reply.Status.REPLAYED, assertInstanceOf(Reply.class, members.answer(repetition)).status());
    assertEquals(executions, members.node(3).executions);
    long next = update(1, "r");
    members.run(2);
    assertInstanceOf(Reply.class, members.answer(next), "no turn is left");
    members.digest();
  }
}
