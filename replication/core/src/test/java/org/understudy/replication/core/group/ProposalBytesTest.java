package org.understudy.replication.core.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.group.GroupMessage.Proposal;
import org.understudy.replication.core.limit.ByteLimits;
import org.understudy.replication.core.limit.Limits;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.update.StateChange;

/** What waits for its place in the order is bounded in bytes, not only in number. */
class ProposalBytesTest {
  private static final int UPDATE_BYTES = 40_000;
  private static final int UNSTABLE_BYTES = 100_000;
  private static final Limits LIMITS =
      new Limits(
          1_000, 1 << 20, 1 << 10, 20, 100, 40, 10_000_000_000L, 60_000_000_000L, 20,
          new ByteLimits(1_000_000, 50_000, 30_000, 25_000, 10_000, UPDATE_BYTES, UNSTABLE_BYTES));

  private final Members members = new Members(LIMITS);

  private static Map<String, Long> versions(int count) {
    Map<String, Long> read = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      read.put("a key of the service's own " + i, 0L);
    }
    return read;
  }

  @Test
  void runThatReadTooMuchEndsAsTooLargeAndIsNotSent() {
    RequestKey key = new RequestKey.OfMessageId(1, 1);
    long token = members.ask(2, Members.update(key, "a"));
    members.returns(2, token, versions(1_000), new StateChange("counter", new byte[8]));
    members.deliver();
    members.run(2);
    assertEquals(FailureCode.TooLarge, assertInstanceOf(Failure.class, members.answer(token)).code());
    for (Message sent : members.node(2).sent) {
      assertTrue(!(sent instanceof Proposal proposal) || proposal.encodedBytes() < 10_000, "the keys are not sent");
    }
    long again = members.ask(3, Members.update(key, "a"));
    members.deliver();
    members.run(2);
    assertEquals(members.answer(token), members.answer(again), "stored as the request's answer");
    members.digest();
  }

  @Test
  void runThatReadMuchIsExecuted() {
    long token = members.ask(2, Members.update("a"));
    members.returns(2, token, versions(100), new StateChange("counter", new byte[8]));
    members.deliver();
    members.run(2);
    assertInstanceOf(Reply.class, members.answer(token));
  }

  @Test
  void unplacedBytesCountAsBacklog() {
    members.lose(message -> message instanceof Proposal);
    int admitted = 0;
    for (int i = 0; i < 20; i++) {
      long token = members.ask(2, Members.update("a"));
      if (members.answer(token) == null) {
        admitted++;
        members.returns(2, token, Map.of(), new StateChange("made" + i, new byte[30_000]));
      } else {
        assertEquals(FailureCode.Overloaded, ((Failure) members.answer(token)).code());
      }
      members.deliver();
    }
    assertEquals(UNSTABLE_BYTES / 30_000 + 1, admitted);
    members.lose(message -> false);
    members.run(40);
    long token = members.ask(2, Members.update("a"));
    assertNull(members.answer(token), "there is room again");
    members.digest();
  }
}
