package org.understudy.client.invocation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.understudy.client.envelope.Answer;
import org.understudy.client.envelope.Refusal;
import org.understudy.client.view.GroupView;
import org.understudy.client.view.KnownViews;
import org.understudy.client.view.ReplicaAddress;
import org.understudy.replication.api.Certainty;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.RequestClass;

/** Every rule of the stub's retrying, on virtual time. */
class RetryingInvocationTest {
  private static final long MS = 1_000_000L;
  private static final long SECOND = 1_000 * MS;
  private static final long DEADLINE = 30 * SECOND;
  private static final List<URI> REPLICAS =
      List.of(URI.create("http://one/"), URI.create("http://two/"), URI.create("http://three/"));

  private final KnownViews views = new KnownViews(REPLICAS);
  private final Reachability reach = new Reachability();
  private final Backoff pauses = new Backoff(new Random(1));
  private long now;
  private RetryingInvocation invocation = invocation();

  private RetryingInvocation invocation() {
    return new RetryingInvocation(views, reach, pauses, false, now, now + DEADLINE);
  }

  private static URI replica(int number) {
    return REPLICAS.get(number - 1);
  }

  /** A view whose members stand in this order; the others are outside. */
  private static GroupView view(long epoch, int... members) {
    List<ReplicaAddress> list = new ArrayList<>();
    for (int i = 0; i < members.length; i++) {
      list.add(ReplicaAddress.ofRole(members[i], i == 0 ? "primary" : "backup", replica(members[i])));
    }
    return new GroupView(epoch, list);
  }

  private static Answer answer(int status, boolean soap, long epoch, Refusal refusal) {
    return new Answer(status, "text/xml", Map.of(), new byte[] {1}, soap, null, epoch, false, refusal);
  }

  private static Answer result() {
    return answer(200, true, 0, null);
  }

  private static Answer refusal(FailureCode code, GroupView view) {
    return answer(500, true, 0, new Refusal(code, code.certainty(), view, ""));
  }

  private static Answer refusal(FailureCode code) {
    return refusal(code, GroupView.NONE);
  }

  private Step.Send begun() {
    return assertInstanceOf(Step.Send.class, invocation.begin(now));
  }

  /** Sends, waits and ends pauses until the next attempt. */
  private Step.Send sent(Step step) {
    Step next = step;
    while (next instanceof Step.Pause pause) {
      now = pause.until();
      next = invocation.timePasses(now);
    }
    return assertInstanceOf(Step.Send.class, next);
  }

  private Step answered(Step.Send attempt, Answer answer) {
    return invocation.answered(now, attempt.number(), answer);
  }

  private Step lost(Step.Send attempt) {
    return invocation.unanswered(now, attempt.number(), NoAnswer.CONNECTION_LOST, new IOException("reset"));
  }

  private Step unreachable(Step.Send attempt) {
    return invocation.unanswered(now, attempt.number(), NoAnswer.NOT_SENT, new ConnectException("refused"));
  }

  private InvocationFailedException failed(Step step) {
    return assertInstanceOf(Step.Fail.class, step).failure();
  }

  /** Lets the deadline pass after this step. */
  private InvocationFailedException outOfTime(Step step) {
    now = DEADLINE;
    return failed(step instanceof Step.Pause ? invocation.timePasses(now) : step);
  }

  // where it goes

  @Test
  void theFirstAttemptGoesToTheFirstReplicaWhileNoViewIsKnown() {
    assertEquals(new Step.Send(replica(1), 1, false, DEADLINE), begun());
  }

  @Test
  void theFirstAttemptGoesToThePrimary() {
    views.learn(view(1, 2, 1, 3));
    assertEquals(replica(2), begun().replica());
  }

  private static GroupView viewInWhichAllServe(long epoch) {
    List<ReplicaAddress> list = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      list.add(new ReplicaAddress(i, true, EnumSet.allOf(RequestClass.class), replica(i)));
    }
    return new GroupView(epoch, list);
  }

  private static Answer redirect(int target) {
    FailureCode code = FailureCode.Redirected;
    return answer(500, true, 0, new Refusal(code, code.name(), code.certainty(), false, viewInWhichAllServe(1), target, ""));
  }

  @Test
  void redirectIsFollowedAtOnceAndKept() {
    views.learn(viewInWhichAllServe(1));
    assertEquals(new Step.Send(replica(3), 2, false, DEADLINE), sentAtOnce(answered(begun(), redirect(3))));
    invocation = invocation();
    assertEquals(replica(3), begun().replica(), "later requests go there too");
    assertEquals(replica(2), sentAtOnce(answered(begun(), redirect(2))).replica());
    views.learn(viewInWhichAllServe(2));
    invocation = invocation();
    assertEquals(replica(2), begun().replica(), "and in a later view, while the replica serves");
    views.learn(view(3, 1, 3));
    invocation = invocation();
    assertEquals(replica(1), begun().replica());
  }

  @Test
  void redirectToADeadReplicaEndsAtAnotherOne() {
    views.learn(viewInWhichAllServe(1));
    Step.Send third = sentAtOnce(answered(begun(), redirect(3)));
    assertEquals(replica(1), sent(unreachable(third)).replica());
    invocation = invocation();
    assertEquals(replica(1), begun().replica(), "later requests do not begin there");
  }

  /** The replica knows that the request is a read, and the client does not. */
  @Test
  void redirectToAReplicaForReadsConcernsOneRequest() {
    views.learn(view(1, 1, 2, 3));
    assertEquals(new Step.Send(replica(3), 2, false, DEADLINE), sentAtOnce(answered(begun(), redirect(3))));
    invocation = invocation();
    assertEquals(replica(1), begun().replica());
  }

  @Test
  void requestIsRedirectedOnce() {
    views.learn(viewInWhichAllServe(1));
    Step.Send third = sentAtOnce(answered(begun(), redirect(3)));
    Step again = answered(third, redirect(2));
    assertInstanceOf(Step.Pause.class, again, "a replica that redirects retries makes no loop without a pause");
  }

  @Test
  void redirectToAnUnknownReplicaIsARetryAfterAPause() {
    views.learn(viewInWhichAllServe(1));
    assertInstanceOf(Step.Pause.class, answered(begun(), redirect(7)));
  }

  @Test
  void refusalWithANewerPrimaryRedirectsAtOnce() {
    Step.Send next = sentAtOnce(answered(begun(), refusal(FailureCode.NotPrimary, view(4, 3, 2, 1))));
    assertEquals(new Step.Send(replica(3), 2, false, DEADLINE), next);
    assertEquals(4, views.current().epoch());
  }

  private static Step.Send sentAtOnce(Step step) {
    return assertInstanceOf(Step.Send.class, step);
  }

  @Test
  void replicasAreTriedInTurnAfterAPause() {
    views.learn(view(1, 1, 2, 3));
    List<URI> asked = new ArrayList<>();
    Step.Send attempt = begun();
    for (int i = 0; i < 4; i++) {
      asked.add(attempt.replica());
      attempt = sent(answered(attempt, refusal(FailureCode.NotReady)));
    }
    assertEquals(List.of(replica(1), replica(2), replica(3), replica(1)), asked);
  }

  @ParameterizedTest
  @EnumSource(value = FailureCode.class, names = {"StillPending", "Overloaded"})
  void primaryIsRetriedWhenItIsOnlyBusy(FailureCode code) {
    views.learn(view(1, 1, 2, 3));
    assertEquals(replica(1), sent(answered(begun(), refusal(code))).replica());
  }

  @Test
  void onlyThePrimaryIsRetriedAtOnce() {
    Step.Send first = begun();
    assertEquals(replica(2), sent(answered(first, refusal(FailureCode.Overloaded))).replica());
  }

  @Test
  void newViewClearsUnhelpfulReplicas() {
    views.learn(view(1, 1, 2, 3));
    Step.Send second = sent(answered(begun(), refusal(FailureCode.NotReady)));
    assertEquals(replica(2), second.replica());
    assertEquals(replica(1), sentAtOnce(answered(second, refusal(FailureCode.NotPrimary, view(2, 1, 2, 3)))).replica());
  }

  @Test
  void olderViewIsIgnored() {
    views.learn(view(5, 1, 2, 3));
    assertInstanceOf(Step.Pause.class, answered(begun(), refusal(FailureCode.NotPrimary, view(4, 3, 2, 1))));
    assertEquals(List.of(replica(1)), views.current().servers());
  }

  @Test
  void newerEpochInvalidatesOlderViews() {
    Step.Send first = begun();
    answered(first, answer(500, true, 7, new Refusal(FailureCode.NotReady, Certainty.NOT_EXECUTED, view(6, 2, 1, 3), "")));
    assertEquals(7, views.highestEpoch());
    assertEquals(0, views.current().epoch());
  }

  // pauses

  @Test
  void pausesDoubleFromTwoToAHundredMillisecondsAndAreJittered() {
    views.learn(view(1, 1, 2, 3));
    Step.Send attempt = begun();
    long whole = 2 * MS;
    for (int i = 0; i < 12; i++) {
      Step.Pause pause = assertInstanceOf(Step.Pause.class, answered(attempt, refusal(FailureCode.StillPending)));
      long length = pause.until() - now;
      assertTrue(length >= whole / 2 && length <= whole, length + " of " + whole);
      whole = Math.min(100 * MS, 2 * whole);
      attempt = sent(pause);
    }
  }

  @Test
  void pauseEndsExactlyAtItsTime() {
    Step.Pause pause = assertInstanceOf(Step.Pause.class, answered(begun(), refusal(FailureCode.NotReady)));
    assertInstanceOf(Step.GoOn.class, invocation.timePasses(pause.until() - 1));
    assertInstanceOf(Step.Send.class, invocation.timePasses(pause.until()));
  }

  @Test
  void aPauseEndsWithANewView() {
    assertInstanceOf(Step.Pause.class, answered(begun(), refusal(FailureCode.NotReady)));
    views.learn(view(2, 3, 1, 2));
    assertEquals(replica(3), sentAtOnce(invocation.viewChanged(now, views.current())).replica());
  }

  @Test
  void pauseIsLimitedByTheDeadline() {
    Step.Send first = begun();
    now = DEADLINE - 1;
    assertEquals(DEADLINE, assertInstanceOf(Step.Pause.class, unreachable(first)).until());
    now = DEADLINE;
    assertEquals(Certainty.NOT_EXECUTED, failed(invocation.timePasses(now)).certainty());
  }

  // breaking off

  @Test
  void newPrimaryAbortsTheAttemptAtTheOldOneAndIsTriedAtOnce() {
    views.learn(view(1, 1, 2, 3));
    Step.Send first = begun();
    views.learn(view(2, 2, 3));
    assertInstanceOf(Step.BreakOff.class, invocation.viewChanged(now, views.current()));
    assertInstanceOf(Step.GoOn.class, invocation.viewChanged(now, views.current()));
    Step next = invocation.unanswered(now, 1, NoAnswer.BROKEN_OFF, new IOException("closed"));
    assertEquals(new Step.Send(replica(2), 2, false, DEADLINE), next);
    assertTrue(first.isSupersededBy(views.current()));
    assertEquals(Certainty.UNKNOWN, outOfTime(unreachable(sentAtOnce(next))).certainty());
  }

  @Test
  void answerReceivedBeforeTheCloseIsTheResult() {
    views.learn(view(1, 1, 2, 3));
    Step.Send first = begun();
    views.learn(view(2, 2, 3));
    invocation.viewChanged(now, views.current());
    assertInstanceOf(Step.Take.class, answered(first, result()));
  }

  @Test
  void viewWithoutNewPrimaryAbortsNoAttemptButEndsThePause() {
    views.learn(view(1, 1, 2, 3));
    Step.Send first = begun();
    GroupView without = new GroupView(2, List.of(ReplicaAddress.ofRole(1, "backup", replica(1))));
    assertInstanceOf(Step.GoOn.class, invocation.viewChanged(now, without));
    views.learn(view(3, 1, 2));
    assertInstanceOf(Step.GoOn.class, invocation.viewChanged(now, views.current()));
    assertEquals(replica(1), sentAtOnce(unreachable(first)).replica());
  }

  /** A view of replicas that clients reach at one address, that of a load balancer; those after the members are outside. */
  private static GroupView viewBehindOneAddress(long epoch, int members) {
    List<ReplicaAddress> list = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      list.add(ReplicaAddress.ofRole(i, i == 1 ? "primary" : i <= members ? "backup" : "none", replica(1)));
    }
    return new GroupView(epoch, list);
  }

  @Test
  void attemptThatALoadBalancerMayHaveGivenToALostReplicaIsSentAgain() {
    views.learn(viewBehindOneAddress(1, 3));
    Step.Send first = begun();
    views.learn(viewBehindOneAddress(2, 2));
    assertInstanceOf(Step.BreakOff.class, invocation.viewChanged(now, views.current()));
    Step next = invocation.unanswered(now, first.number(), NoAnswer.BROKEN_OFF, new IOException("closed"));
    Step.Send second = sentAtOnce(next);
    assertEquals(replica(1), second.replica());
    views.learn(viewBehindOneAddress(3, 3));
    assertInstanceOf(Step.GoOn.class, invocation.viewChanged(now, views.current()), "a replica has joined, and none is lost");
    assertInstanceOf(Step.Take.class, answered(second, result()));
  }

  @Test
  void attemptPreventedByAViewDoesNotCount() {
    views.learn(view(1, 1, 2, 3));
    begun();
    views.learn(view(2, 2, 3));
    assertEquals(new Step.Send(replica(2), 1, false, DEADLINE), invocation.withdrawn(now));
  }

  @Test
  void viewMayArriveWhileAnAnswerIsHandled() {
    views.addListener(view -> assertInstanceOf(Step.GoOn.class, invocation.viewChanged(now, view)));
    Step.Send first = begun();
    assertEquals(replica(3), sentAtOnce(answered(first, refusal(FailureCode.NotPrimary, view(4, 3, 2, 1)))).replica());
  }

  @Test
  void theEndOfAnEarlierAttemptIsIgnored() {
    Step.Send first = begun();
    Step.Send second = sent(unreachable(first));
    assertInstanceOf(Step.GoOn.class, answered(first, result()));
    assertInstanceOf(Step.GoOn.class, lost(first));
    assertInstanceOf(Step.Take.class, answered(second, result()));
    assertInstanceOf(Step.GoOn.class, answered(second, result()));
  }

  // without an answer

  @Test
  void brokenConnectionIsRetriedOnceAtTheSameReplica() {
    views.learn(view(1, 1, 2, 3));
    Step.Send second = sentAtOnce(lost(begun()));
    assertEquals(replica(1), second.replica());
    Step pause = lost(second);
    assertInstanceOf(Step.Pause.class, pause);
    assertEquals(replica(2), sent(pause).replica());
  }

  @Test
  void unreachableReplicaIsPolledLast() {
    views.learn(view(1, 1, 2, 3));
    Step.Send second = sent(unreachable(begun()));
    assertEquals(replica(2), second.replica());
    Step step =
        invocation.unanswered(now, second.number(), NoAnswer.TIMED_OUT, new SocketTimeoutException("Read timed out"));
    assertEquals(replica(3), sent(step).replica());
  }

  // a client cut off from the primary alone

  @Test
  void othersForwardWhileThePrimaryIsUnreachableAndItIsProbed() {
    views.learn(view(1, 1, 2, 3));
    Step.Send second = sent(unreachable(begun()));
    assertEquals(false, second.forward());
    now = Reachability.CUT_OFF_NANOS;
    Step.Send third = sent(answered(second, refusal(FailureCode.NotPrimary)));
    assertEquals(new Step.Send(replica(3), 3, true, DEADLINE), third);
    answered(third, result());

    invocation = invocation();
    Step.Send other = begun();
    assertTrue(other.forward() && !other.replica().equals(replica(1)), other.toString());
    now = Reachability.PROBE_NANOS;
    invocation = invocation();
    assertEquals(replica(1), begun().replica());
    invocation = invocation();
    assertTrue(begun().forward(), "One probe is enough.");
  }

  @Test
  void answeringPrimaryIsReachableAgain() {
    views.learn(view(1, 1, 2, 3));
    unreachable(begun());
    now = Reachability.PROBE_NANOS;
    invocation = invocation();
    reach.reached(replica(1));
    assertEquals(new Step.Send(replica(1), 1, false, now + DEADLINE), begun());
  }

  // which answer is the result

  @Test
  void resultsServiceFaultsAndOneWayAnswersEndTheInvocation() {
    for (Answer answer : List.of(result(), answer(500, true, 0, null), answer(202, false, 0, null), answer(204, false, 0, null))) {
      invocation = invocation();
      assertSame(answer, assertInstanceOf(Step.Take.class, answered(begun(), answer)).answer());
    }
  }

  @ParameterizedTest
  @EnumSource(FailureCode.class)
  void onlyAPermanentRefusalEndsTheInvocation(FailureCode code) {
    Step step = answered(begun(), refusal(code));
    if (!code.isTerminal()) {
      assertInstanceOf(Step.Pause.class, step);
      return;
    }
    InvocationFailedException failure = failed(step);
    assertEquals(Optional.of(code), failure.code());
    assertEquals(code.certainty(), failure.certainty());
    assertEquals(List.of(replica(1)), failure.tried().stream().map(InvocationFailedException.Tried::address).toList());
  }

  @ParameterizedTest
  @EnumSource(FailureCode.class)
  void permanentRefusalCoversEarlierAttemptsIfItIsStoredOrEndsTheTransaction(FailureCode code) {
    List<FailureCode> ofThisAttempt =
        List.of(FailureCode.SessionExpired, FailureCode.StaleSequence, FailureCode.DigestMismatch, FailureCode.BadRequest);
    Step step = answered(sentAtOnce(lost(begun())), refusal(code));
    if (code.isTerminal()) {
      assertEquals(ofThisAttempt.contains(code) ? Certainty.UNKNOWN : code.certainty(), failed(step).certainty());
    } else {
      assertFalse(step instanceof Step.Fail, step.toString());
    }
  }

  @Test
  void nonSoapAnswersAreClassifiedByHttpStatus() {
    assertInstanceOf(Step.Pause.class, answered(begun(), answer(503, false, 0, null)));
    invocation = invocation();
    assertInstanceOf(Step.Pause.class, answered(begun(), answer(502, false, 0, null)));
    invocation = invocation();
    InvocationFailedException redirect = failed(answered(begun(), answer(302, false, 0, null)));
    assertEquals(Certainty.NOT_EXECUTED, redirect.certainty());
    invocation = invocation();
    InvocationFailedException page = failed(answered(begun(), answer(200, false, 0, null)));
    assertEquals(Certainty.UNKNOWN, page.certainty());
  }

  // what is known at the end

  @Test
  void unsentRequestWasNotExecuted() {
    assertEquals(Certainty.NOT_EXECUTED, outOfTime(unreachable(begun())).certainty());
  }

  @Test
  void possiblyReceivedAttemptLeavesTheOutcomeUnknown() {
    InvocationFailedException failure = outOfTime(unreachable(sentAtOnce(lost(begun()))));
    assertEquals(Certainty.UNKNOWN, failure.certainty());
    assertEquals(Optional.empty(), failure.code());
  }

  @Test
  void lastPendingAnswerDeterminesTheOutcome() {
    assertEquals(Certainty.PENDING, outOfTime(answered(begun(), refusal(FailureCode.StillPending))).certainty());
  }

  @Test
  void everyReplicaThatWasAskedIsNamedWithItsLastReason() {
    views.learn(view(1, 1, 2, 3));
    Step.Send second = sent(unreachable(begun()));
    InvocationFailedException failure = outOfTime(answered(second, refusal(FailureCode.NoQuorum)));
    assertEquals(
        List.of(replica(1) + ": ConnectException: refused", replica(2) + ": NoQuorum"),
        failure.tried().stream().map(Object::toString).toList());
    assertEquals("refused", failure.getCause().getMessage());
  }

  @Test
  void afterTheDeadlineNothingIsSent() {
    now = DEADLINE;
    assertEquals(Certainty.NOT_EXECUTED, failed(invocation.begin(now)).certainty());
  }

  @Test
  void serviceMissingEverywhereIsReportedAsWrongAddress() {
    Answer absent = answer(404, false, 0, null);
    Step step = answered(begun(), absent);
    while (now < 5 * SECOND - 200 * MS) {
      step = answered(sent(step), absent);
      assertInstanceOf(Step.Pause.class, step);
    }
    while (step instanceof Step.Pause) {
      step = answered(sent(step), absent);
    }
    assertTrue(now > 5 * SECOND && now < 6 * SECOND, "at " + now);
    assertTrue(failed(step).getMessage().startsWith("No replica has a service at this path"));
  }

  @Test
  void clientWaitsForARedeployedService() {
    Answer absent = answer(404, false, 0, null);
    Step step = answered(begun(), absent);
    while (now < 4 * SECOND) {
      step = answered(sent(step), absent);
    }
    step = answered(sent(step), refusal(FailureCode.NotReady));
    long since = now;
    while (now < since + 4 * SECOND) {
      step = answered(sent(step), absent);
    }
    assertInstanceOf(Step.Pause.class, step);
  }

  // the end of the client

  @Test
  void closingTheClientAbortsAttempts() {
    begun();
    assertInstanceOf(Step.BreakOff.class, invocation.stopped(now, "closed"));
    InvocationFailedException failure =
        failed(invocation.unanswered(now, 1, NoAnswer.BROKEN_OFF, new IOException("closed")));
    assertTrue(failure.getMessage().startsWith("closed; the call may or may not have been executed."), failure.getMessage());
  }

  @Test
  void theEndOfTheClientEndsAPause() {
    unreachable(begun());
    assertEquals(Certainty.NOT_EXECUTED, failed(invocation.stopped(now, "closed")).certainty());
  }

  @Test
  void afterTheEndOfTheClientNothingIsSent() {
    assertInstanceOf(Step.GoOn.class, invocation.stopped(now, "closed"));
    assertEquals(Certainty.NOT_EXECUTED, failed(invocation.begin(now)).certainty());
  }
}
