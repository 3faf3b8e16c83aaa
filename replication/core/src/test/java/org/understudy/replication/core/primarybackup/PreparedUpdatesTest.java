package org.understudy.replication.core.primarybackup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.api.decision.DecisionId;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.HandledEffects;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.ReplicaCore;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.Timing;
import org.understudy.replication.core.limit.Limits;
import org.understudy.replication.core.record.Recovered;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.update.StateChange;

/** The steps of an update that a database decides, at a primary without backups: each is stable at once. */
class PreparedUpdatesTest {
  private static final long EPOCH = 9;

  private final List<String> effects = new ArrayList<>();
  private final List<Failure> failures = new ArrayList<>();
  private final List<StateChange> committed = new ArrayList<>();
  private ReplicaCore core;
  private long now;
  private final Effects out =
      HandledEffects.by((name, arguments) -> {
        switch (name) {
          case "execute", "reply", "rollback" -> effects.add(name + " " + arguments[0]);
          case "fail" -> {
            effects.add("fail " + arguments[0]);
            failures.add((Failure) arguments[1]);
          }
          case "commit" -> {
            effects.add("commit " + arguments[0]);
            ((List<?>) arguments[2]).forEach(change -> committed.add((StateChange) change));
          }
          case "decide" -> effects.add("decide " + arguments[0] + " as " + arguments[1]);
          case "fence" -> effects.add("fence " + Arrays.toString(arguments));
          case "recall" -> effects.add("recall " + arguments[1]);
          case "forget" -> effects.add("forget " + arguments[0] + (arguments[1].equals(true) ? " and identities" : ""));
          default -> { }
        }
      });

  @BeforeEach
  void open() {
    ReplicaId self = new ReplicaId(1);
    core =
        new Unreplicated()
            .open(
                new ReplicaSetup(
                    self, List.of(self), Recovered.NOTHING, 1, Timing.of(Duration.ofMillis(50), Duration.ofMillis(500)),
                    Limits.DEFAULTS, Rule.ALL));
    step(new Input.UsesDatabase(false));
    pass(2_000);
  }

  private void step(Input input) {
    core.step(now, now, input, out);
  }

  private void pass(long milliseconds) {
    for (long end = now + milliseconds * 1_000_000; now < end; now += 10_000_000) {
      step(new Input.Tick());
    }
  }

  private void fence() {
    assertEquals(List.of("fence [1, null, [], true]"), effects);
    step(new Input.Fenced(1, EPOCH, Set.of()));
    step(new Input.Recalled(1, List.of(), null));
    effects.clear();
  }

  private void request(long token, long id) {
    step(
        new Input.Requested(
            token,
            new Request(
                new RequestKey.OfMessageId(3, id), 0, Request.Kind.UPDATE, null, VersionHandle.INITIAL, 0, "")));
  }

  private void executed(long token) {
    step(
        new Input.Executed(
            token, Map.of(), Response.EMPTY, List.of(new StateChange("r", new byte[1]), StateChange.entry("log", new byte[1])), true));
  }

  private void decided(long token, long index, Decision decision) {
    step(new Input.Decided(token, new DecisionId(EPOCH, index), decision, true));
  }

  private void assertEffects(String... expected) {
    assertEquals(List.of(expected), effects);
    effects.clear();
  }

  @Test
  void nothingIsServedBeforeTheFence() {
    request(2, 1);
    step(
        new Input.Requested(
            3, new Request(null, 0, Request.Kind.READ, ReadLevel.LOCAL, VersionHandle.INITIAL, 0, "")));
    assertFalse(core.status(now).writable());
    assertEffects("fence [1, null, [], true]");
    step(new Input.FenceFailed(1, "The database is down."));
    assertEffects("fail 2", "fail 3");
    assertEquals(new Failure(FailureCode.NotReady, "The database is down."), failures.get(0));
    request(4, 1);
    assertEffects("fail 4");
    step(new Input.Fenced(2, EPOCH, Set.of()));
    request(5, 1);
    assertEffects("fail 5");
    step(new Input.Fenced(1, EPOCH, Set.of()));
    assertEffects("recall null");
    request(6, 1);
    assertFalse(core.status(now).writable());
    step(new Input.Recalled(1, List.of(), null));
    assertEffects("execute 6");
    assertTrue(core.status(now).writable());
  }

  @Test
  void markCommitsAndAnswersAlsoTheDuplicate() {
    fence();
    request(2, 1);
    executed(2);
    assertEffects("execute 2", "decide 2 as 9.1");
    request(3, 1);
    step(new Input.Requested(4, new Request(null, 0, Request.Kind.UPDATE, null, VersionHandle.INITIAL, 0, "")));
    step(new Input.Executed(4, Map.of(), Response.EMPTY, List.of()));
    assertEffects("execute 4", "commit 4", "reply 4");
    decided(2, 1, Decision.COMMITTED);
    assertEffects("commit 2", "reply 2", "reply 3");
    assertEquals(3, StateChange.indexOf(committed.get(1).resource()), "numbered at the place of the mark");
    decided(2, 1, Decision.ABORTED);
    request(5, 1);
    assertEffects("reply 5");
  }

  @Test
  void abortedUpdateIsExecutedAgainAFewTimes() {
    fence();
    request(2, 1);
    for (int run = 1; run <= 5; run++) {
      executed(2);
      assertEffects("execute 2", "decide 2 as 9." + (2 * run - 1));
      decided(2, 2 * run - 1, Decision.ABORTED);
      assertEquals("rollback 2", effects.remove(0));
    }
    assertEffects("fail 2");
    assertEquals(FailureCode.Overloaded, failures.get(0).code());
    request(3, 1);
    executed(3);
    decided(3, 11, Decision.COMMITTED);
    assertEffects("execute 3", "decide 3 as 9.11", "commit 3", "reply 3");
  }

  @Test
  void requestThatTheDatabaseHasExecutedBeforeIsRefusedAsExecuted() {
    fence();
    request(2, 1);
    executed(2);
    request(3, 1);
    assertEffects("execute 2", "decide 2 as 9.1");
    step(new Input.Decided(2, new DecisionId(EPOCH, 1), Decision.ABORTED, false, true));
    assertEffects("rollback 2", "fail 3", "fail 2");
    assertEquals(FailureCode.ReplyDiscarded, failures.get(0).code(), "not one of those after which a client makes a new request");
  }

  @Test
  void deadlockInTheMethodIsExecutedAgain() {
    fence();
    request(2, 1);
    step(new Input.BranchAborted(2));
    assertEffects("execute 2", "rollback 2", "execute 2");
    step(new Input.Abandoned(2));
    step(new Input.BranchAborted(2));
    assertEffects("fail 2", "rollback 2");
  }

  @Test
  void callerThatHasGoneDoesNotUndoAPreparedUpdate() {
    fence();
    request(2, 1);
    executed(2);
    step(new Input.Abandoned(2));
    decided(2, 1, Decision.COMMITTED);
    assertEffects("execute 2", "decide 2 as 9.1", "commit 2");
    request(3, 1);
    assertEffects("reply 3");
  }

  @Test
  void decisionOfAnotherEpochOrTokenIsIgnored() {
    fence();
    request(2, 1);
    executed(2);
    step(new Input.Decided(2, new DecisionId(EPOCH - 1, 1), Decision.COMMITTED, true));
    step(new Input.Decided(7, new DecisionId(EPOCH, 1), Decision.COMMITTED, true));
    assertEffects("execute 2", "decide 2 as 9.1");
  }

  @Test
  void failureRollsTheBranchBack() {
    fence();
    request(2, 1);
    step(
        new Input.Executed(
            2, Map.of(), new Failure(FailureCode.ExecutionFailed, "It failed."), List.of(), true));
    assertEffects("execute 2", "rollback 2", "fail 2");
  }

  @Test
  void lastDecisionIsNotForgotten() {
    fence();
    request(2, 1);
    executed(2);
    decided(2, 1, Decision.COMMITTED);
    request(3, 2);
    executed(3);
    decided(3, 3, Decision.COMMITTED);
    request(4, 3);
    executed(4);
    effects.clear();
    pass(1_500);
    assertEffects("forget 9.3");
    decided(4, 5, Decision.COMMITTED);
    effects.clear();
    pass(1_500);
    assertEffects("forget 9.5");
  }

  // ------------------------------------------------------------------------------------------------ rows

  private static Input.RecalledReply row(long index, long id, long digest) {
    return new Input.RecalledReply(
        new DecisionId(EPOCH - 1, index), new RequestKey.OfMessageId(3, id), digest, new Response((byte) 1, new byte[] {7}));
  }

  @Test
  void replyOfARowIsReplayedAndAnotherBodyRefused() {
    step(new Input.Fenced(1, EPOCH, Set.of()));
    step(new Input.Recalled(1, List.of(row(4, 1, 0), row(5, 2, 77)), new DecisionId(EPOCH - 1, 5)));
    request(2, 1);
    assertEffects("fence [1, null, [], true]", "recall null", "recall 8.5");
    Input.RecalledReply ofUnknownSession =
        new Input.RecalledReply(
            new DecisionId(EPOCH - 1, 6), new RequestKey.OfSession(new SessionId(1, 2), 1), 0, new Response((byte) 1, new byte[0]));
    step(new Input.Recalled(1, List.of(ofUnknownSession), null));
    assertEffects("reply 2");
    request(3, 1);
    request(4, 2);
    assertEffects("reply 3", "fail 4");
    assertEquals(FailureCode.DigestMismatch, failures.get(0).code());
  }

  @Test
  void responseThatNoReplicaReadsIsDiscarded() {
    step(new Input.Fenced(1, EPOCH, Set.of()));
    step(
        new Input.Recalled(
            1,
            List.of(
                new Input.RecalledReply(
                    new DecisionId(8, 4), new RequestKey.OfMessageId(3, 1), 0, new Response((byte) 99, new byte[0]))),
            null));
    effects.clear();
    request(2, 1);
    assertEffects("fail 2");
    assertEquals(FailureCode.ReplyDiscarded, failures.get(0).code());
  }

  @Test
  void rowOfAMessageIdIsForgottenWithItsIdentity() {
    fence();
    request(2, 1);
    executed(2);
    decided(2, 1, Decision.COMMITTED);
    request(3, 2);
    executed(3);
    decided(3, 3, Decision.COMMITTED);
    effects.clear();
    pass(110_000);
    assertEffects("forget 9.3");
    pass(20_000);
    assertEquals(List.of("forget 9.1 and identities", "forget 9.3 and identities"), effects.stream().distinct().toList());
  }

  // ------------------------------------------------------------------------------------------------ in one phase

  private static DecisionId onePhase(long number) {
    return new DecisionId(EPOCH, DecisionId.ONE_PHASE + number);
  }

  private void executedInDatabase(long token) {
    step(new Input.Executed(token, Map.of(), Response.EMPTY, List.of(), true));
  }

  private void decideInOnePhase(long token, DecisionId id, Decision decision) {
    step(new Input.Decided(token, id, decision, true));
  }

  @Test
  void updateOfTheDatabaseAloneIsAnsweredWhenItHasCommitted() {
    step(new Input.UsesDatabase(true));
    fence();
    request(2, 1);
    executedInDatabase(2);
    request(3, 1);
    assertEffects("execute 2", "decide 2 as " + onePhase(0));
    decideInOnePhase(2, onePhase(0), Decision.COMMITTED);
    assertEffects("commit 2", "reply 2", "reply 3");
    request(4, 1);
    assertEffects("reply 4");
    request(5, 2);
    executed(5);
    assertEffects("execute 5", "decide 5 as 9.2");
    pass(1_500);
    assertEffects("forget " + onePhase(0));
  }

  @Test
  void updateThatRestsOnWhatIsNotStableIsPrepared() {
    step(new Input.UsesDatabase(true));
    fence();
    request(2, 1);
    step(new Input.Executed(2, Map.of("other", 1L), Response.EMPTY, List.of(), true));
    assertEffects("execute 2", "decide 2 as 9.1");
  }

  @Test
  void abortedOnePhaseIsExecutedAgainOrRefused() {
    step(new Input.UsesDatabase(true));
    fence();
    request(2, 1);
    executedInDatabase(2);
    decideInOnePhase(2, onePhase(0), Decision.ABORTED);
    executedInDatabase(2);
    assertEffects("execute 2", "decide 2 as " + onePhase(0), "rollback 2", "execute 2", "decide 2 as " + onePhase(1));
    decideInOnePhase(2, onePhase(0), Decision.COMMITTED);
    step(new Input.Decided(2, onePhase(1), Decision.ABORTED, false, true));
    assertEffects("rollback 2", "fail 2");
    assertEquals(FailureCode.ReplyDiscarded, failures.get(0).code());
  }
}
