package org.understudy.client.invocation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.understudy.client.envelope.Answer;
import org.understudy.client.envelope.Refusal;
import org.understudy.client.view.GroupView;
import org.understudy.client.view.KnownViews;
import org.understudy.client.view.ReplicaAddress;
import org.understudy.replication.api.Certainty;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.RequestClass;

/** A client tries a server that joined with one short message, which waits there for a short time only. */
class NewcomerTrialTest {
  private static final long MS = 1_000_000L;
  private static final long SECOND = 1_000 * MS;
  private static final long LONGEST_DELAY = 30 * SECOND;
  private static final long BETWEEN_TRIALS = 5 * SECOND;
  private static final long TRIALS = 30 * SECOND;
  private static final long TIMEOUT = 60 * SECOND;
  private static final URI OLD = URI.create("http://old/");
  private static final URI OTHER = URI.create("http://other/");
  private static final URI NEW = URI.create("http://new/");

  private long now = Long.MAX_VALUE - 10 * SECOND;
  private final Reachability reach = new Reachability();
  private KnownViews views;
  private URI home;

  /** A client that has its home at an old server, while its share is the new one. */
  @BeforeEach
  void join() {
    for (long seed = 0; !NEW.equals(home); seed++) {
      KnownViews before = views(seed);
      before.learn(view(1, OLD, OTHER, NEW));
      home = before.servers().get(0);
      views = views(seed);
    }
    views.learn(view(1, OLD, OTHER));
    home = views.servers().get(0);
    views.learn(view(2, OLD, OTHER, NEW));
  }

  private KnownViews views(long seed) {
    return new KnownViews(List.of(OLD, OTHER, NEW), seed, null, () -> now);
  }

  private static GroupView view(long epoch, URI... servers) {
    List<ReplicaAddress> list = new ArrayList<>();
    for (URI server : servers) {
      int number = List.of(OLD, OTHER, NEW).indexOf(server) + 1;
      list.add(new ReplicaAddress(number, true, EnumSet.allOf(RequestClass.class), server));
    }
    return new GroupView(epoch, list);
  }

  /** A message in flight. */
  private final class Message {
    private final RetryingInvocation steps;
    private Step.Send sent;

    Message(boolean fitForTrial, long timeout) {
      steps = new RetryingInvocation(views, reach, new Backoff(new Random(1)), fitForTrial, now, now + timeout);
      sent = assertInstanceOf(Step.Send.class, steps.begin(now));
    }

    URI at() {
      return sent.replica();
    }

    long limit() {
      return sent.deadline() - now;
    }

    Step ends(NoAnswer how) {
      return follow(steps.unanswered(now, sent.number(), how, new IOException(how.name())));
    }

    void timesOut() {
      now = sent.deadline();
      assertInstanceOf(Step.Send.class, ends(NoAnswer.TIMED_OUT));
    }

    Step answered(FailureCode code, int target) {
      Refusal refusal =
          code == null ? null : new Refusal(code, code.name(), code.certainty(), code.isTerminal(), GroupView.NONE, target, "");
      Answer answer = new Answer(code == null ? 200 : 500, "text/xml", Map.of(), new byte[] {1}, true, null, 0, false, refusal);
      return follow(steps.answered(now, sent.number(), answer));
    }

    void succeeds() {
      assertInstanceOf(Step.Take.class, answered(null, 0));
    }

    /** Ends a pause, after which there is another attempt. */
    void pauses(Step step) {
      now = assertInstanceOf(Step.Pause.class, step).until();
      assertInstanceOf(Step.Send.class, follow(steps.timePasses(now)));
    }

    private Step follow(Step step) {
      sent = step instanceof Step.Send next ? next : sent;
      return step;
    }
  }

  private Message shortMessage() {
    return new Message(true, TIMEOUT);
  }

  private Message longMessage() {
    return new Message(false, TIMEOUT);
  }

  private void assertNextTrialSucceeds() {
    now += BETWEEN_TRIALS;
    Message next = shortMessage();
    assertEquals(NEW, next.at());
    next.succeeds();
    assertEquals(NEW, shortMessage().at());
  }

  @Test
  void noMessageTriesItInTheFirstSeconds() {
    now += 2 * SECOND - 1;
    assertEquals(home, shortMessage().at());
  }

  @Test
  void oneMessageTriesItAndOthersRemain() {
    now += LONGEST_DELAY;
    Message trial = shortMessage();
    assertEquals(NEW, trial.at());
    assertEquals(50 * MS, trial.limit());
    Message other = shortMessage();
    assertEquals(home, other.at());
    assertEquals(TIMEOUT, other.limit());
    trial.succeeds();
    Message next = shortMessage();
    assertEquals(NEW, next.at(), "it has answered");
    assertEquals(TIMEOUT, next.limit());
    assertEquals(NEW, views.servers().get(0));
    assertFalse(views.isNewcomer(NEW));
  }

  @Test
  void aSlowTrialGoesToTheFormerServerAtOnceAndCountsAsNoFailure() {
    now += LONGEST_DELAY;
    Message trial = shortMessage();
    trial.timesOut();
    assertEquals(home, trial.at());
    assertEquals(2, trial.sent.number(), "a retry of the same message");
    assertEquals(TIMEOUT - 50 * MS, trial.limit());
    trial.succeeds();
    assertEquals(home, shortMessage().at(), "the next trial is later");
    assertFalse(reach.isCutOff(NEW, now + TIMEOUT));
    assertNextTrialSucceeds();
  }

  @Test
  void aServerThatIsAlwaysSlowIsPreferredInTheEnd() {
    now += LONGEST_DELAY;
    int trials = 0;
    while (views.isNewcomer(NEW)) {
      Message message = shortMessage();
      if (message.at().equals(NEW) && message.limit() < TIMEOUT) {
        trials++;
        message.timesOut();
        message.succeeds();
      }
      now += SECOND;
    }
    assertTrue(trials > 1 && trials <= TRIALS / BETWEEN_TRIALS, trials + " trials");
    Message message = shortMessage();
    assertEquals(NEW, message.at());
    assertEquals(TIMEOUT, message.limit(), "no second copy any more");
  }

  @Test
  void aClientThatWasIdleTriesItOnce() {
    now += 3 * (LONGEST_DELAY + TRIALS);
    Message trial = shortMessage();
    assertEquals(NEW, trial.at());
    trial.timesOut();
    assertEquals(home, trial.at());
    assertEquals(TIMEOUT, shortMessage().limit());
    assertEquals(NEW, shortMessage().at());
  }

  @Test
  void longMessagesAndTransactionsMoveWhenTheServerHasAnswered() {
    now += LONGEST_DELAY;
    assertEquals(home, longMessage().at());
    shortMessage().succeeds();
    assertEquals(NEW, longMessage().at());
  }

  @Test
  void longMessagesMoveInTheEndWithoutATrial() {
    now += LONGEST_DELAY + TRIALS;
    Message message = longMessage();
    assertEquals(NEW, message.at());
    assertEquals(TIMEOUT, message.limit());
  }

  @Test
  void whatTheTrialLeftUnknownRemainsUnknown() {
    now += LONGEST_DELAY;
    Message trial = shortMessage();
    trial.timesOut();
    Step end = trial.answered(FailureCode.BadRequest, 0);
    InvocationFailedException failure = assertInstanceOf(Step.Fail.class, end).failure();
    assertEquals(Certainty.UNKNOWN, failure.certainty(), "the newcomer may execute it yet");
    assertEquals(2, failure.tried().size());
  }

  @Test
  void pendingAtTheFormerServerIsRetriedThere() {
    now += LONGEST_DELAY;
    Message trial = shortMessage();
    trial.timesOut();
    trial.pauses(trial.answered(FailureCode.StillPending, 0));
    assertEquals(home, trial.at());
    trial.succeeds();
  }

  @Test
  void aRefusalOfTheNewcomerIsNoAnswer() {
    now += LONGEST_DELAY;
    Message trial = shortMessage();
    trial.pauses(trial.answered(FailureCode.NotReady, 0));
    assertEquals(home, trial.at());
    assertTrue(views.isNewcomer(NEW));
  }

  @Test
  void aStaleConnectionSaysNothingAboutTheNewcomer() {
    now += LONGEST_DELAY;
    Message trial = shortMessage();
    trial.ends(NoAnswer.CONNECTION_LOST);
    assertEquals(NEW, trial.at());
    assertEquals(50 * MS, trial.limit());
    trial.timesOut();
    assertEquals(home, trial.at());
  }

  @Test
  void aNewcomerThatDiesIsRetriedNoMoreThanOnce() {
    now += LONGEST_DELAY;
    Message trial = shortMessage();
    trial.ends(NoAnswer.CONNECTION_LOST);
    trial.pauses(trial.ends(NoAnswer.CONNECTION_LOST));
    assertEquals(home, trial.at());
  }

  @Test
  void aMessageWithLessTimeThanATrialFailsWithItsDeadline() {
    now += LONGEST_DELAY;
    Message trial = new Message(true, 20 * MS);
    assertEquals(NEW, trial.at());
    assertEquals(20 * MS, trial.limit());
    now = trial.sent.deadline();
    assertInstanceOf(Step.Fail.class, trial.ends(NoAnswer.TIMED_OUT));
  }

  @Test
  void aNewcomerThatServesAloneIsNotTriedButUsed() {
    views.learn(view(3, NEW));
    now += LONGEST_DELAY;
    Message message = shortMessage();
    assertEquals(NEW, message.at());
    assertEquals(TIMEOUT, message.limit());
    message.succeeds();
    assertFalse(views.isNewcomer(NEW));
  }

  @Test
  void aRedirectToANewcomerIsFollowedWhenItIsTime() {
    Message early = shortMessage();
    assertInstanceOf(Step.Send.class, early.answered(FailureCode.Redirected, 3));
    assertEquals(home, early.at(), "a retry is served where it arrives");
    assertEquals(TIMEOUT, early.limit());
    early.succeeds();
    now += LONGEST_DELAY;
    Message sealed = longMessage();
    assertInstanceOf(Step.Send.class, sealed.answered(FailureCode.Redirected, 3));
    assertEquals(home, sealed.at());
    sealed.succeeds();
  }

  @Test
  void aRedirectToASlowNewcomerIsTakenBack() {
    KnownViews elsewhere = elsewhere();
    URI before = elsewhere.servers().get(0);
    views = elsewhere;
    now += LONGEST_DELAY;
    Message message = shortMessage();
    assertEquals(before, message.at(), "the newcomer is not this client's share");
    assertInstanceOf(Step.Send.class, message.answered(FailureCode.Redirected, 3));
    assertEquals(NEW, message.at());
    assertEquals(50 * MS, message.limit());
    message.timesOut();
    assertEquals(before, message.at());
    message.succeeds();
    now += BETWEEN_TRIALS;
    assertEquals(before, shortMessage().at());
    Message again = shortMessage();
    assertInstanceOf(Step.Send.class, again.answered(FailureCode.Redirected, 3));
    again.succeeds();
    assertEquals(NEW, shortMessage().at(), "redirected for good");
  }

  @Test
  void afterARedirectToASlowNewcomerThePreferredServerServes() {
    KnownViews without = views(1);
    without.learn(view(1, OLD, OTHER));
    // Not the one that the seed chooses.
    URI preferred = without.servers().get(1);
    views = new KnownViews(List.of(OLD, OTHER, NEW), 1L, preferred, () -> now);
    views.learn(view(1, OLD, OTHER));
    views.learn(view(2, OLD, OTHER, NEW));
    now += LONGEST_DELAY;
    Message message = shortMessage();
    assertEquals(preferred, message.at());
    assertInstanceOf(Step.Send.class, message.answered(FailureCode.Redirected, 3));
    assertEquals(NEW, message.at());
    message.timesOut();
    assertEquals(preferred, message.at());
    message.succeeds();
    assertEquals(preferred, shortMessage().at());
  }

  /** The views of a client whose share is not the new server. */
  private KnownViews elsewhere() {
    for (long seed = 0;; seed++) {
      KnownViews own = views(seed);
      own.learn(view(1, OLD, OTHER, NEW));
      if (!own.servers().get(0).equals(NEW)) {
        KnownViews joined = views(seed);
        joined.learn(view(1, OLD, OTHER));
        joined.learn(view(2, OLD, OTHER, NEW));
        return joined;
      }
    }
  }

  @Test
  void aClientWhoseShareItIsNotTriesItWhenItsOwnServerLeaves() {
    views = elsewhere();
    now += LONGEST_DELAY;
    URI own = views.servers().get(0);
    URI next = own.equals(OLD) ? OTHER : OLD;
    views.learn(view(3, next, NEW));
    URI at = shortMessage().at();
    assertNotEquals(own, at);
    assertEquals(next, views.servers().get(0), "until it has answered, it is the last one");
  }

  @Test
  void aNewcomerThatLeavesAndJoinsAgainIsNewAgain() {
    now += LONGEST_DELAY;
    shortMessage().succeeds();
    views.learn(view(3, OLD, OTHER));
    views.learn(view(4, OLD, OTHER, NEW));
    assertTrue(views.isNewcomer(NEW));
    assertEquals(home, shortMessage().at());
  }

  @Test
  void aPreferredServerThatJoinsIsTriedAtOnce() {
    views = new KnownViews(List.of(OLD, OTHER, NEW), 1L, NEW, () -> now);
    views.learn(view(1, OLD, OTHER));
    views.learn(view(2, OLD, OTHER, NEW));
    Message trial = shortMessage();
    assertEquals(NEW, trial.at());
    assertEquals(50 * MS, trial.limit());
    assertNotEquals(NEW, shortMessage().at());
    trial.succeeds();
    assertEquals(NEW, shortMessage().at());
  }

  @Test
  void aPreferredServerRemainsPreferredAfterASlowTrial() {
    views = new KnownViews(List.of(OLD, OTHER, NEW), 1L, NEW, () -> now);
    views.learn(view(1, OLD, OTHER));
    views.learn(view(2, OLD, OTHER, NEW));
    Message trial = shortMessage();
    trial.timesOut();
    trial.succeeds();
    assertNotEquals(NEW, shortMessage().at(), "the next trial is later");
    assertNextTrialSucceeds();
  }

  @Test
  void aTrialThatWasNotSentLeavesNothingUnknown() {
    now += LONGEST_DELAY;
    Message trial = shortMessage();
    now = trial.sent.deadline();
    assertInstanceOf(Step.Send.class, trial.ends(NoAnswer.NOT_SENT));
    assertEquals(home, trial.at());
    InvocationFailedException failure = assertInstanceOf(Step.Fail.class, trial.answered(FailureCode.BadRequest, 0)).failure();
    assertEquals(Certainty.NOT_EXECUTED, failure.certainty());
  }

  @Test
  void aViewWithoutTheNewcomerEndsTheTrial() {
    now += LONGEST_DELAY;
    Message trial = shortMessage();
    GroupView without = view(3, OLD, OTHER);
    views.learn(without);
    assertInstanceOf(Step.BreakOff.class, trial.steps.viewChanged(now, without));
    assertInstanceOf(Step.Send.class, trial.ends(NoAnswer.BROKEN_OFF));
    assertEquals(home, trial.at());
    assertEquals(TIMEOUT, trial.limit());
  }
}
