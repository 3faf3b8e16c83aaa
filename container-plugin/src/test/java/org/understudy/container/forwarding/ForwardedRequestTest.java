package org.understudy.container.forwarding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.container.forwarding.ForwardedAnswer.Source;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.request.Failure;

/** Every rule of the forwarding, on virtual time. */
class ForwardedRequestTest {
  private static final long DEADLINE = 20_000_000_000L;
  private static final WaitLimits LIMITS = new WaitLimits(DEADLINE, 4 * DEADLINE);
  private static final long END = DEADLINE + LIMITS.answer();
  private static final ReplicaId FIRST = new ReplicaId(1);
  private static final ReplicaId SECOND = new ReplicaId(2);

  private List<ReplicaId> servers = List.of(FIRST);
  /** For how long nothing has come from any server. */
  private long silence;
  private List<ReplicaId> outOfReach = List.of();
  private final Servers known =
      new Servers() {
        @Override
        public List<ReplicaId> known() {
          return servers;
        }

        @Override
        public long silentNanos(ReplicaId server) {
          return silence;
        }

        @Override
        public boolean isOutOfReach(ReplicaId server) {
          return outOfReach.contains(server);
        }
      };
  private long now;
  private ForwardedRequest request = request(Repetition.IS_RECOGNISED);

  private ForwardedRequest request(Repetition repetition) {
    return new ForwardedRequest(repetition, known, 0, LIMITS);
  }

  /** An attempt of a request that no replica has had for any time. */
  private static Step.Send send(ReplicaId to, int number) {
    return new Step.Send(to, number, new Step.AttemptLimit(DEADLINE, DEADLINE, END));
  }

  private static ForwardedAnswer result() {
    return new ForwardedAnswer(200, null, Source.REPLICA, false);
  }

  private static ForwardedAnswer refusal(FailureCode code) {
    return new ForwardedAnswer(500, code, Source.REPLICA, false);
  }

  private Step.Send begun() {
    return assertInstanceOf(Step.Send.class, request.begin(now));
  }

  /** Waits and ends pauses until the next attempt. */
  private Step.Send sent(Step step) {
    Step next = step;
    while (next instanceof Step.Pause pause) {
      now = pause.until();
      next = request.timePasses(now);
    }
    return assertInstanceOf(Step.Send.class, next);
  }

  private Step answered(Step.Send attempt, ForwardedAnswer answer) {
    return request.answered(now, attempt.number(), answer);
  }

  private Step lost(Step.Send attempt) {
    return request.unanswered(now, attempt.number(), NoAnswer.LOST);
  }

  private Step notSent(Step.Send attempt) {
    return request.unanswered(now, attempt.number(), NoAnswer.NOT_SENT);
  }

  private static Failure failed(Step step) {
    return assertInstanceOf(Step.Fail.class, step).failure();
  }

  /** Lets the deadline pass in a pause. */
  private Failure outOfTime(Step pause) {
    assertInstanceOf(Step.Pause.class, pause);
    now = DEADLINE;
    return failed(request.timePasses(now));
  }

  // waiting for a place

  @Test
  void theFirstAttemptGoesToTheServer() {
    assertEquals(send(FIRST, 1), begun());
  }

  @Test
  void aRequestThatWaitedForAPlaceUntilItsDeadlineWasNotExecuted() {
    assertInstanceOf(Step.GoOn.class, request.timePasses(DEADLINE - 1));
    assertEquals(FailureCode.Overloaded, failed(request.timePasses(DEADLINE)).code());
    request = request(Repetition.IS_ANOTHER_REQUEST);
    assertEquals(FailureCode.Overloaded, failed(request.begin(DEADLINE)).code());
  }

  @Test
  void whereTooManyWaitItIsOverloaded() {
    assertEquals(FailureCode.Overloaded, failed(request.crowded()).code());
    assertInstanceOf(Step.GoOn.class, request.timePasses(DEADLINE));
  }

  @Test
  void aViewBeforeItHasAPlaceChangesNothing() {
    servers = List.of(SECOND);
    assertInstanceOf(Step.GoOn.class, request.serversChanged(now));
    assertEquals(SECOND, begun().to());
  }

  // without a server

  @Test
  void withoutAServerItWaitsForOne() {
    servers = List.of();
    Step.Pause pause = assertInstanceOf(Step.Pause.class, request.begin(now));
    assertEquals(ForwardedRequest.PAUSE_NANOS, pause.until());
    assertInstanceOf(Step.GoOn.class, request.serversChanged(now));
    servers = List.of(SECOND);
    assertEquals(send(SECOND, 1), request.serversChanged(now));
  }

  @Test
  void whereNoServerIsKnownUntilTheDeadlineNothingWasExecuted() {
    servers = List.of();
    Failure failure = outOfTime(request.begin(now));
    assertEquals(FailureCode.NotReady, failure.code());
    assertTrue(failure.sentence().startsWith("No replica was known to serve the request"), failure.sentence());
  }

  // a server that goes on without this replica

  @Test
  void aServerOutOfReachIsNotTried() {
    servers = List.of(FIRST, SECOND);
    outOfReach = List.of(FIRST);
    assertEquals(send(SECOND, 1), begun());
  }

  @Test
  void whereEveryServerIsOutOfReachItEndsAtOnce() {
    outOfReach = List.of(FIRST);
    Failure failure = failed(request.begin(now));
    assertEquals(FailureCode.NotReady, failure.code());
    assertEquals(
        "Replica 1, which serves the request, goes on without this replica and is not heard here. Nothing was executed. Retry at another"
            + " replica.",
        failure.sentence());
  }

  @Test
  void whatMayHaveRunBeforeTheServerWasOutOfReachIsUnknown() {
    Step.Pause pause = assertInstanceOf(Step.Pause.class, lost(begun()));
    outOfReach = List.of(FIRST);
    now = pause.until();
    assertEquals(FailureCode.OutcomeUnknown, failed(request.timePasses(now)).code());
  }

  /** The link is cut while the server has the request: nothing comes back on it, and the caller need not wait for its deadline. */
  @Test
  void whatAServerOutOfReachHasIsBrokenOff() {
    Step.Send sent = begun();
    assertEquals(Step.GoOn.UNCHANGED, request.timePasses(now));
    outOfReach = List.of(FIRST);
    assertInstanceOf(Step.BreakOff.class, request.timePasses(now));
    Step.Pause pause = assertInstanceOf(Step.Pause.class, lost(sent));
    now = pause.until();
    assertEquals(FailureCode.OutcomeUnknown, failed(request.timePasses(now)).code());
  }

  // answers

  @Test
  void aResultIsPassedOn() {
    assertEquals(new Step.PassOn(1), answered(begun(), result()));
  }

  @ParameterizedTest
  @EnumSource(FailureCode.class)
  void aRefusalOfTheFirstAttemptIsPassedOnUnlessAnotherReplicaMayServeIt(FailureCode code) {
    request = request(Repetition.IS_ANOTHER_REQUEST);
    Step step = answered(begun(), refusal(code));
    if (code == FailureCode.NotPrimary || code == FailureCode.NotReady) {
      assertInstanceOf(Step.Pause.class, step);
    } else {
      assertEquals(new Step.PassOn(1), step);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {404, 503})
  void aReplicaThatIsNotDeployedIsAskedAgain(int status) {
    request = request(Repetition.IS_ANOTHER_REQUEST);
    assertInstanceOf(Step.Pause.class, answered(begun(), new ForwardedAnswer(status, null, Source.SERVER, false)));
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 404, 500, 503})
  void whateverElseTheContainerOrAnotherServerSaysIsPassedOn(int status) {
    assertEquals(new Step.PassOn(1), answered(begun(), new ForwardedAnswer(status, null, Source.REPLICA, false)));
    if (status != 404 && status != 503) {
      request = request(Repetition.IS_RECOGNISED);
      assertEquals(new Step.PassOn(1), answered(begun(), new ForwardedAnswer(status, null, Source.SERVER, false)));
      request = request(Repetition.IS_RECOGNISED);
      assertEquals(new Step.PassOn(1), answered(begun(), new ForwardedAnswer(status, null, Source.OTHER, false)));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {502, 503, 504})
  void requestThatAProxyLostIsRetriedOnlyIfARepetitionIsHarmless(int status) {
    ForwardedAnswer lost = new ForwardedAnswer(status, null, Source.OTHER, false);
    request = request(Repetition.IS_ANOTHER_REQUEST);
    assertEquals(new Step.PassOn(1), answered(begun(), lost));
    request = request(Repetition.EXECUTES_NOTHING);
    assertEquals(new Step.PassOn(2), answered(sent(answered(begun(), lost)), result()));
    request = request(Repetition.IS_RECOGNISED);
    now = 0;
    Step.Send second = sent(answered(begun(), lost));
    Failure failure = outOfTime(answered(second, refusal(FailureCode.NotReady)));
    assertEquals(FailureCode.OutcomeUnknown, failure.code());
  }

  @ParameterizedTest
  @EnumSource(Repetition.class)
  void refusedRequestIsAlwaysRetried(Repetition repetition) {
    request = request(repetition);
    Step.Send second = sent(answered(begun(), refusal(FailureCode.NotReady)));
    assertEquals(send(FIRST, 2), second);
    assertEquals(ForwardedRequest.PAUSE_NANOS, now);
    assertEquals(new Step.PassOn(2), answered(second, result()));
  }

  @Test
  void restartedReplicaIsRetriedAtOnce() {
    Step step = answered(begun(), new ForwardedAnswer(500, FailureCode.NotReady, Source.REPLICA, true));
    assertEquals(send(FIRST, 2), step);
  }

  @Test
  void restartedReplicaDoesNotTurnAResultIntoARefusal() {
    assertEquals(new Step.PassOn(1), answered(begun(), new ForwardedAnswer(200, null, Source.REPLICA, true)));
  }

  @Test
  void theEndOfAnEarlierAttemptIsIgnored() {
    Step.Send first = begun();
    Step.Send second = sent(notSent(first));
    assertInstanceOf(Step.GoOn.class, answered(first, result()));
    assertInstanceOf(Step.GoOn.class, lost(first));
    assertEquals(new Step.PassOn(2), answered(second, result()));
    assertInstanceOf(Step.GoOn.class, answered(second, result()));
  }

  // lost answers

  @Test
  void unsentRequestIsAlwaysRetried() {
    request = request(Repetition.IS_ANOTHER_REQUEST);
    assertEquals(2, sent(notSent(begun())).number());
  }

  @Test
  void lostRequestWithIdentityIsRetried() {
    assertEquals(new Step.PassOn(2), answered(sent(lost(begun())), result()));
  }

  @Test
  void lostRequestWithoutIdentityIsNotRetried() {
    request = request(Repetition.IS_ANOTHER_REQUEST);
    Failure failure = failed(lost(begun()));
    assertEquals(FailureCode.OutcomeUnknown, failure.code());
    assertTrue(failure.sentence().startsWith("Replica 1 did not respond to the forwarded request."), failure.sentence());
    assertTrue(failure.sentence().endsWith(Failure.RETRY_WITH_ID), "RetryAdvice knows what the client can do: a commit needs no id");
    request = request(Repetition.IS_ANOTHER_REQUEST);
    Step.Send late = begun();
    now = DEADLINE;
    silence = DEADLINE;
    String sentence = failed(lost(late)).sentence();
    assertTrue(sentence.contains("before its deadline (understudy.request.deadline.ms), and nothing else"), sentence);
    request = request(Repetition.IS_ANOTHER_REQUEST);
    now = 0;
    late = begun();
    now = END;
    silence = 0;
    String longest = failed(lost(late)).sentence();
    assertTrue(longest.contains("in the longest time that a replica takes (understudy.execution.ms"), longest);
  }

  @Test
  void lostReadIsRetried() {
    request = request(Repetition.EXECUTES_NOTHING);
    assertEquals(new Step.PassOn(2), answered(sent(lost(begun())), result()));
  }

  @ParameterizedTest
  @EnumSource(
      value = FailureCode.class, names = {"NotPrimary", "NoQuorum", "Redirected", "Overloaded", "NotReady", "OutcomeUnknown"})
  void temporaryRefusalAfterALostAnswerCoversItsAttemptOnly(FailureCode code) {
    Failure failure = outOfTime(answered(sent(lost(begun())), refusal(code)));
    assertEquals(FailureCode.OutcomeUnknown, failure.code());
    assertTrue(failure.sentence().contains("the last time with " + code + "."), failure.sentence());
  }

  @Test
  void stillPendingAfterALostAnswerIsPassedOn() {
    assertEquals(new Step.PassOn(2), answered(sent(lost(begun())), refusal(FailureCode.StillPending)));
  }

  /** Waits for a replica that is ready after a lost answer; the next attempt gets this code. */
  private Step refusedLater(FailureCode code) {
    return answered(sent(answered(sent(lost(begun())), refusal(FailureCode.NotReady))), refusal(code));
  }

  @ParameterizedTest
  @EnumSource(
      value = FailureCode.class,
      names = {"ExecutionFailed", "TooLarge", "TransactionAborted", "TransactionOutcomeUnknown", "ReplyDiscarded"})
  void whatHoldsForAllAttemptsIsPassedOnAfterALostAnswer(FailureCode code) {
    assertEquals(new Step.PassOn(3), refusedLater(code));
  }

  @ParameterizedTest
  @EnumSource(value = FailureCode.class, names = {"SessionExpired", "StaleSequence", "DigestMismatch", "BadRequest"})
  void terminalRefusalOfItsAttemptOnlyLeavesTheOutcomeOpenAndEndsTheRequest(FailureCode code) {
    Failure failure = failed(refusedLater(code));
    assertEquals(FailureCode.OutcomeUnknown, failure.code());
    assertTrue(failure.sentence().startsWith("Replica 1 rejected the forwarded request with " + code + ","), failure.sentence());
    assertFalse(failure.sentence().contains("Retry"), failure.sentence());
  }

  @Test
  void unknownOutcomeOfARequestWithIdentityIsResolved() {
    Step.Send second = sent(answered(begun(), refusal(FailureCode.OutcomeUnknown)));
    assertEquals(FailureCode.OutcomeUnknown, outOfTime(answered(second, refusal(FailureCode.NoQuorum))).code());
    request = request(Repetition.IS_RECOGNISED);
    now = 0;
    assertEquals(new Step.PassOn(2), answered(sent(answered(begun(), refusal(FailureCode.OutcomeUnknown))), result()));
  }

  @Test
  void aReadHasNoUnknownOutcome() {
    request = request(Repetition.EXECUTES_NOTHING);
    assertEquals(FailureCode.NotReady, outOfTime(answered(begun(), refusal(FailureCode.OutcomeUnknown))).code());
  }

  @Test
  void whatTheForwardingReplicaMayHaveExecutedItselfIsDoubtfulFromTheFirstAttemptOn() {
    request = new ForwardedRequest(Repetition.IS_RECOGNISED, true, known, 0, LIMITS);
    assertEquals(FailureCode.OutcomeUnknown, outOfTime(answered(begun(), refusal(FailureCode.NoQuorum))).code());
    request = new ForwardedRequest(Repetition.IS_RECOGNISED, true, known, 0, LIMITS);
    now = 0;
    assertEquals(new Step.PassOn(1), answered(begun(), result()));
  }

  @Test
  void whatMayHaveBeenExecutedStaysDoubtfulWithoutAPlaceToo() {
    request = new ForwardedRequest(Repetition.IS_RECOGNISED, true, known, 0, LIMITS);
    assertEquals(FailureCode.OutcomeUnknown, failed(request.crowded()).code());
    request = new ForwardedRequest(Repetition.IS_RECOGNISED, true, known, 0, LIMITS);
    assertEquals(FailureCode.OutcomeUnknown, failed(request.timePasses(DEADLINE)).code());
    request = new ForwardedRequest(Repetition.IS_RECOGNISED, true, known, 0, LIMITS);
    assertEquals(FailureCode.OutcomeUnknown, failed(request.stopped()).code());
    servers = List.of();
    request = new ForwardedRequest(Repetition.IS_RECOGNISED, true, known, 0, LIMITS);
    Failure failure = outOfTime(request.begin(now));
    assertEquals(FailureCode.OutcomeUnknown, failure.code());
    assertTrue(failure.sentence().endsWith("Retry with the same request id."), failure.sentence());
  }

  @Test
  void afterALostReadARefusalIsTheOutcome() {
    request = request(Repetition.EXECUTES_NOTHING);
    assertEquals(new Step.PassOn(2), answered(sent(lost(begun())), refusal(FailureCode.NoQuorum)));
  }

  // the deadline

  @Test
  void deadlineAbortsAnAttemptAtASilentServerOnce() {
    begun();
    silence = Long.MAX_VALUE;
    assertInstanceOf(Step.GoOn.class, request.timePasses(DEADLINE - 1));
    assertInstanceOf(Step.BreakOff.class, request.timePasses(DEADLINE));
    assertInstanceOf(Step.GoOn.class, request.timePasses(DEADLINE));
  }

  @ParameterizedTest
  @EnumSource(Repetition.class)
  void anUpdateWithoutAnAnswerAtItsDeadlineMayHaveBeenExecutedAndAReadExecutedNothing(Repetition repetition) {
    request = request(repetition);
    Step.Send attempt = begun();
    now = DEADLINE;
    silence = DEADLINE;
    request.timePasses(now);
    boolean read = repetition == Repetition.EXECUTES_NOTHING;
    assertEquals(read ? FailureCode.NotReady : FailureCode.OutcomeUnknown, failed(lost(attempt)).code());
  }

  @Test
  void aServerThatIsNotSilentMayTakeLongerThanTheDeadline() {
    Step.Send attempt = begun();
    silence = DEADLINE - 1;
    assertInstanceOf(Step.GoOn.class, request.timePasses(END - 1));
    now = END - 1;
    assertEquals(new Step.PassOn(1), answered(attempt, result()));
    request = request(Repetition.IS_RECOGNISED);
    now = 0;
    Step.Send endless = begun();
    now = END;
    assertInstanceOf(Step.BreakOff.class, request.timePasses(now));
    assertEquals(FailureCode.OutcomeUnknown, failed(lost(endless)).code());
  }

  @ParameterizedTest
  @EnumSource(Repetition.class)
  void aServerThatFallsSilentDuringALongExecutionEndsTheAttempt(Repetition repetition) {
    request = request(repetition);
    Step.Send attempt = begun();
    silence = DEADLINE - 1;
    now = 2 * DEADLINE;
    assertInstanceOf(Step.GoOn.class, request.timePasses(now));
    silence = DEADLINE;
    assertInstanceOf(Step.BreakOff.class, request.timePasses(now));
    boolean read = repetition == Repetition.EXECUTES_NOTHING;
    assertEquals(read ? FailureCode.NotReady : FailureCode.OutcomeUnknown, failed(lost(attempt)).code());
  }

  @Test
  void aNewServerAfterTheDeadlineHasTheTimeThatWasLeft() {
    now = DEADLINE / 4;
    Step.Send first = begun();
    now += 3 * DEADLINE;
    servers = List.of(SECOND);
    assertInstanceOf(Step.BreakOff.class, request.serversChanged(now));
    Step.Send second = sent(lost(first));
    assertEquals(SECOND, second.to());
    servers = List.of();
    Step step = answered(second, refusal(FailureCode.NotReady));
    long begin = now;
    while (step instanceof Step.Pause pause) {
      now = pause.until();
      step = request.timePasses(now);
    }
    assertEquals(FailureCode.OutcomeUnknown, failed(step).code());
    assertEquals(DEADLINE * 3 / 4 - ForwardedRequest.PAUSE_NANOS, now - begin);
  }

  @Test
  void aServerThatLosesItsRoleAfterTheDeadlineLeavesTimeForTheNextOne() {
    request = request(Repetition.IS_ANOTHER_REQUEST);
    Step.Send first = begun();
    now = 2 * DEADLINE;
    assertEquals(2, sent(answered(first, refusal(FailureCode.NotPrimary))).number());
  }

  @Test
  void aTryThatDoesNotReachItsServerUsesTheTime() {
    Step.Send first = begun();
    now = DEADLINE;
    assertEquals(FailureCode.NotReady, failed(notSent(first)).code());
  }

  @Test
  void requestThatIsLostAgainAndAgainEnds() {
    Step step = request.begin(now);
    while (!(step instanceof Step.Fail)) {
      Step.Send attempt = sent(step);
      now += DEADLINE / 2;
      step = lost(attempt);
    }
    assertTrue(now >= END && now <= END + DEADLINE, "it ended at " + now);
  }

  @Test
  void anAnswerThatCameBeforeTheConnectionWasClosedIsPassedOn() {
    Step.Send attempt = begun();
    silence = DEADLINE;
    request.timePasses(DEADLINE);
    now = DEADLINE;
    assertEquals(new Step.PassOn(1), answered(attempt, result()));
  }

  @Test
  void whatWasNeverSentUntilTheDeadlineWasNotExecuted() {
    assertEquals(FailureCode.NotReady, outOfTime(notSent(begun())).code());
  }

  @Test
  void theLastRefusalIsNamedAtTheDeadline() {
    Failure failure = outOfTime(answered(begun(), refusal(FailureCode.NotPrimary)));
    assertEquals(FailureCode.NotReady, failure.code());
    assertTrue(failure.sentence().contains("NotPrimary") && failure.sentence().contains("Nothing was executed"),
        failure.sentence());
  }

  @Test
  void aRefusalBeforeALostAnswerIsNotNamed() {
    Failure failure = outOfTime(lost(sent(answered(begun(), refusal(FailureCode.NotPrimary)))));
    assertEquals(FailureCode.OutcomeUnknown, failure.code());
    assertTrue(failure.sentence().contains("may have been executed"), failure.sentence());
  }

  @Test
  void aPauseIsNotLongerThanTheTimeLeft() {
    Step.Send attempt = begun();
    now = DEADLINE - 1;
    assertEquals(new Step.Pause(DEADLINE), notSent(attempt));
  }

  // views

  @Test
  void newServerAbortsTheAttemptAtTheOldOneAndIsTriedNext() {
    Step.Send first = begun();
    servers = List.of(SECOND);
    assertInstanceOf(Step.BreakOff.class, request.serversChanged(now));
    assertInstanceOf(Step.GoOn.class, request.serversChanged(now));
    assertTrue(first.isSupersededBy(servers));
    assertEquals(send(SECOND, 2), sent(lost(first)));
  }

  @Test
  void viewWithoutNewServerAbortsNoAttempt() {
    begun();
    assertInstanceOf(Step.GoOn.class, request.serversChanged(now));
    servers = List.of();
    assertInstanceOf(Step.GoOn.class, request.serversChanged(now));
  }

  @Test
  void anotherServerEndsAPauseAndTheSameOneDoesNot() {
    assertInstanceOf(Step.Pause.class, answered(begun(), refusal(FailureCode.NotReady)));
    assertInstanceOf(Step.GoOn.class, request.serversChanged(now));
    servers = List.of(SECOND);
    assertEquals(send(SECOND, 2), request.serversChanged(now));
    assertEquals(0, now);
  }

  @Test
  void aPauseEndsWithItsTimeAndNotBefore() {
    Step.Pause pause = assertInstanceOf(Step.Pause.class, answered(begun(), refusal(FailureCode.NotReady)));
    assertInstanceOf(Step.GoOn.class, request.timePasses(pause.until() - 1));
    assertInstanceOf(Step.Send.class, request.timePasses(pause.until()));
  }

  // several servers

  @Test
  void whereSeveralServeTheNextAttemptGoesToTheNextOne() {
    servers = List.of(FIRST, SECOND);
    Step.Send second = sent(notSent(begun()));
    assertEquals(send(SECOND, 2), second);
    assertEquals(FIRST, sent(answered(second, refusal(FailureCode.NotReady))).to());
  }

  @Test
  void attemptContinuesWhileItsServerServes() {
    servers = List.of(FIRST, SECOND);
    begun();
    servers = List.of(SECOND, FIRST);
    assertInstanceOf(Step.GoOn.class, request.serversChanged(now));
    servers = List.of(SECOND);
    assertInstanceOf(Step.BreakOff.class, request.serversChanged(now));
  }

  // the end of the replica that forwards

  @Test
  void itsEndBreaksOffAnAttempt() {
    Step.Send attempt = begun();
    assertInstanceOf(Step.BreakOff.class, request.stopped());
    assertEquals(FailureCode.OutcomeUnknown, failed(lost(attempt)).code());
  }

  @Test
  void closingEndsAPause() {
    notSent(begun());
    assertEquals(FailureCode.NotReady, failed(request.stopped()).code());
    assertInstanceOf(Step.GoOn.class, request.stopped());
  }

  @Test
  void itsEndEndsTheWaitingForAPlace() {
    Failure failure = failed(request.stopped());
    assertEquals(FailureCode.NotReady, failure.code());
    assertTrue(failure.sentence().contains("Nothing was executed."), failure.sentence());
  }

  @Test
  void itsEndAfterALostAnswerLeavesTheOutcomeOpen() {
    lost(begun());
    Failure failure = failed(request.stopped());
    assertEquals(FailureCode.OutcomeUnknown, failure.code());
    assertTrue(failure.sentence().contains("It may have been executed."), failure.sentence());
  }

  @Test
  void tooLongResponseIsNotRetried() {
    for (Repetition repetition : Repetition.values()) {
      request = request(repetition);
      Step end = request.unanswered(now, begun().number(), NoAnswer.TOO_LONG);
      FailureCode expected =
          repetition == Repetition.EXECUTES_NOTHING ? FailureCode.TooLarge : FailureCode.OutcomeUnknown;
      assertEquals(expected, assertInstanceOf(Step.Fail.class, end).failure().code(), repetition.name());
    }
  }
}
