package org.understudy.replication.core.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.core.limit.ByteLimits;
import org.understudy.replication.core.limit.KeyKind;
import org.understudy.replication.core.limit.KeyKinds;
import org.understudy.replication.core.limit.Limits;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.update.StateChange;

/** Limits on what the group stores hold although three members propose at once, and all replicas decide alike. */
class ReplicatedLimitsTest {
  private static final int STATE_BYTES = 10_000;

  private static Limits limits(long state, int sessions, int points) {
    KeyKinds kinds = new KeyKinds(List.of(KeyKind.counted("point/", "points", points, "points")));
    return new Limits(
        1_000, 1 << 20, 1 << 10, sessions, 3, 4, 10_000_000_000L, 60_000_000_000L, 20,
        new ByteLimits(state, 4_000, 3_000, 2_500, 1_000, 8_000, 100_000), 100, kinds);
  }

  private Members members;

  @BeforeEach
  void begin() {
    members = new Members(limits(STATE_BYTES, 4, 2));
  }

  /** One update at each member, all proposed before the first has its place; the answers. */
  private List<Object> atOnce(List<StateChange> changes) {
    List<Long> tokens = new ArrayList<>();
    for (int node = 1; node <= 3; node++) {
      tokens.add(members.ask(node, Members.update("caller " + node)));
    }
    for (int node = 1; node <= 3; node++) {
      members.returns(node, tokens.get(node - 1), Map.of(), changes.get(node - 1));
    }
    members.deliver();
    members.run(4);
    members.digest();
    return tokens.stream().map(members::answer).toList();
  }

  private static List<StateChange> three(String prefix, int bytes) {
    return List.of(
        new StateChange(prefix + 1, new byte[bytes]),
        new StateChange(prefix + 2, new byte[bytes]),
        new StateChange(prefix + 3, new byte[bytes]));
  }

  private static long executed(List<Object> answers) {
    return answers.stream().filter(Reply.class::isInstance).count();
  }

  private static void assertOthersOverloaded(List<Object> answers) {
    for (Object answer : answers) {
      assertTrue(answer instanceof Reply || ((Failure) answer).code() == FailureCode.Overloaded, answer.toString());
    }
  }

  @Test
  void threeMembersTogetherKeepTheLimitOfTheState() {
    assertEquals(3, executed(atOnce(three("small", 1_000))));
    List<Object> answers = atOnce(three("large", 3_500));
    assertEquals(1, executed(answers), answers.toString());
    assertOthersOverloaded(answers);
    assertEquals(2, members.node(1).rollbacks + members.node(2).rollbacks + members.node(3).rollbacks);
    List<Object> again = atOnce(three("large", 100));
    assertEquals(3, executed(again), "what was refused may succeed later");
  }

  @Test
  void threeMembersTogetherKeepTheLimitOfAKind() {
    // Owners with one key each are admitted up to twice the limit.
    assertEquals(3, executed(atOnce(three("point/", 10))));
    members.crash(1);
    members.run(400);
    List<Long> tokens = List.of(members.ask(2, Members.update("caller 4")), members.ask(3, Members.update("caller 5")));
    members.returns(2, tokens.get(0), Map.of(), new StateChange("point/4", new byte[10]));
    members.returns(3, tokens.get(1), Map.of(), new StateChange("point/5", new byte[10]));
    members.deliver();
    members.run(4);
    List<Object> answers = tokens.stream().map(members::answer).toList();
    assertEquals(1, executed(answers), answers.toString());
    assertOthersOverloaded(answers);
  }

  @Test
  void threeMembersTogetherKeepTheLimitOfSessions() {
    // Owners with one session each are admitted up to twice the limit.
    for (int nonce = 1; nonce <= 6; nonce++) {
      members.open(1 + nonce % 3, nonce);
    }
    List<Long> tokens = new ArrayList<>();
    for (int node = 1; node <= 3; node++) {
      tokens.add(members.ask(node, Members.opening(10 + node)));
    }
    members.deliver();
    members.run(4);
    List<Object> answers = tokens.stream().map(members::answer).toList();
    assertEquals(2, executed(answers), answers.toString());
    assertOthersOverloaded(answers);
    assertEquals(8, members.node(2).core.status(0).sessions());
    members.digest();
  }

  @Test
  void oneSessionAtThreeMembersKeepsItsLimit() {
    SessionId session = members.open(1, 1);
    List<Long> tokens = new ArrayList<>();
    for (int sequence = 1; sequence <= 6; sequence++) {
      tokens.add(members.ask(1 + sequence % 3, Members.update(new RequestKey.OfSession(session, sequence), "caller 1")));
    }
    for (int sequence = 1; sequence <= 6; sequence++) {
      members.returns(1 + sequence % 3, tokens.get(sequence - 1), Map.of(), new StateChange("r" + sequence, new byte[8]));
    }
    members.deliver();
    members.run(4);
    List<Object> answers = tokens.stream().map(members::answer).toList();
    assertEquals(3, executed(answers), answers.toString());
    assertOthersOverloaded(answers);
    members.digest();
  }

  @Test
  void messageIdsAtThreeMembersKeepTheirLimit() {
    List<Long> tokens = new ArrayList<>();
    for (int id = 1; id <= 9; id++) {
      tokens.add(members.ask(1 + id % 3, Members.update(new RequestKey.OfMessageId(id, 1), "caller 1")));
    }
    for (int id = 1; id <= 9; id++) {
      members.returns(1 + id % 3, tokens.get(id - 1), Map.of(), new StateChange("r" + id, new byte[8]));
    }
    members.deliver();
    members.run(4);
    assertEquals(4, executed(tokens.stream().map(members::answer).toList()));
    members.digest();
  }

  @Test
  void repliesMakeRoomAtThePlaceOfTheUpdate() {
    members = new Members(limits(1_000_000, 4, 2), limits(1_000_000, 4, 2), limits(1_000_000, 4, 2));
    List<Long> tokens = new ArrayList<>();
    for (int id = 1; id <= 4; id++) {
      tokens.add(members.ask(1 + id % 3, Members.update(new RequestKey.OfMessageId(id, 1), "caller 1")));
    }
    for (int id = 1; id <= 4; id++) {
      members.returns(
          1 + id % 3, tokens.get(id - 1), Map.of(), new Response((byte) 0, new byte[900]), new StateChange("r" + id, new byte[8]));
    }
    members.deliver();
    members.run(4);
    assertEquals(4, executed(tokens.stream().map(members::answer).toList()));
    // The replies of 3,000 bytes fit only three times 900 and what each costs besides.
    long first = members.ask(3, Members.update(new RequestKey.OfMessageId(2, 1), "caller 1"));
    long last = members.ask(3, Members.update(new RequestKey.OfMessageId(1, 1), "caller 1"));
    members.deliver();
    members.run(4);
    List<Object> answers = List.of(members.answer(first), members.answer(last));
    assertTrue(answers.stream().anyMatch(answer ->
        answer instanceof Failure failure && failure.code() == FailureCode.ReplyDiscarded), answers.toString());
    members.digest();
  }

  @Test
  void limitsOfTheSequencerBindAll() {
    members = new Members(limits(STATE_BYTES, 4, 2), limits(100_000, 40, 20), limits(2_000, 1, 1));
    List<Object> answers = atOnce(three("large", 3_500));
    assertEquals(2, executed(answers), answers.toString());
    assertOthersOverloaded(answers);
  }

  @Test
  void limitsOfTheNextSequencerHoldAfterItsViewHasBegun() {
    members = new Members(limits(STATE_BYTES, 4, 2), limits(100_000, 40, 20), limits(100_000, 40, 20));
    assertEquals(2, executed(atOnce(three("large", 3_500))));
    members.crash(1);
    members.run(400);
    long token = members.ask(3, Members.update("caller 3"));
    assertNull(members.answer(token));
    members.returns(3, token, Map.of(), new StateChange("more", new byte[3_900]));
    members.deliver();
    members.run(4);
    assertInstanceOf(Reply.class, members.answer(token));
  }
}
