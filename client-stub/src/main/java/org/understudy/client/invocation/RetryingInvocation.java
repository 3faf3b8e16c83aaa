package org.understudy.client.invocation;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.understudy.client.envelope.Answer;
import org.understudy.client.invocation.InvocationFailedException.Tried;
import org.understudy.client.view.GroupView;
import org.understudy.client.view.KnownViews;
import org.understudy.client.view.ReplicaAddress;
import org.understudy.replication.api.Certainty;
import org.understudy.replication.api.FailureCode;

/**
 * The attempts of one message as a step function: which replica is tried next and when, which answer is the result, and
 * what is known of the execution when there is none. It has no clock, no thread and no connection: every input carries the
 * time, and returns what to do next.
 *
 * <p>Begin with {@link #begin}. After {@link Step.Send} comes {@link #answered} or {@link #unanswered}, after {@link
 * Step.Pause} {@link #timePasses}; {@link #viewChanged} and {@link #stopped} may come at any time, also from a view
 * listener while another input is being handled. After {@link Step.Take} and {@link Step.Fail} no input is expected. Not
 * thread-safe.
 */
public final class RetryingInvocation {
  /**
   * The maximum time for which a service may be missing everywhere, as during a redeployment; after that the address is
   * considered wrong.
   */
  private static final long LONGEST_ABSENCE_NANOS = 5_000_000_000L;
  /**
   * The maximum time for which a message waits for a newcomer. A warm replica rarely takes longer, and the second attempt leaves
   * the message some time within 150 ms.
   */
  static final long PATIENCE_NANOS = 50_000_000L;

  private enum State {
    /** Before the first input, after the last step, and while an input is handled. */
    IDLE,
    SENDING,
    PAUSING
  }

  private final KnownViews views;
  private final Reachability reach;
  private final Backoff pauses;
  private final long deadline;
  private final long absence;
  private final boolean fitForTrial;
  private final ReplicaSelector route;
  private final Map<URI, Tried> tried = new LinkedHashMap<>(4);
  private final Set<URI> absentAt = new HashSet<>(0);
  private State state = State.IDLE;
  /** The last attempt, and the epoch of the view in which its replica was chosen. */
  private Step.Send attempt;
  private long epoch;
  private boolean breaking;
  /** The newcomer that the next attempt tries; or null. */
  private URI trial;
  /** The newcomer to which a replica has redirected the message, which is preferred when it has answered; or null. */
  private URI promising;
  /** A view has come since the attempt was chosen. */
  private boolean news;
  private long pausedUntil;
  private String stopped;
  private boolean mayHaveRun;
  private boolean pending;
  private boolean redirected;
  private int attempts;
  private int pausesMade;
  private URI retriedAtOnce;
  private IOException lastError;
  private long absentSince;

  /**
   * @param views which replicas serve requests; updated from answers
   * @param reach which replicas are unreachable; updated from attempts
   * @param pauses between attempts
   * @param fitForTrial whether the message may be the first one to a newcomer, and be sent to another server if that is slow
   * @param now the current time
   * @param deadline of the invocation
   */
  public RetryingInvocation(
      KnownViews views, Reachability reach, Backoff pauses, boolean fitForTrial, long now, long deadline) {
    this.fitForTrial = fitForTrial;
    this.views = views;
    this.reach = reach;
    this.pauses = pauses;
    this.deadline = deadline;
    this.absence = Math.min(LONGEST_ABSENCE_NANOS, (deadline - now) / 4);
    this.route = new ReplicaSelector(views, reach);
  }

  /** The first step. */
  public Step begin(long now) {
    trial = fitForTrial ? views.claimTrial() : null;
    if (trial != null) {
      route.redirect(trial);
    }
    return next(now);
  }

  /** Whether the view in which the last attempt was chosen is still the newest known. */
  boolean isUpToDate() {
    return views.current().epoch() == epoch;
  }

  /** The attempt did not begin, because a new view arrived first. It does not count, and a replica is chosen again. */
  public Step withdrawn(long now) {
    attempts--;
    return next(now);
  }

  /**
   * Handles a replica's answer to the attempt in flight.
   *
   * @param number of the attempt; an answer to an earlier one is ignored
   */
  public Step answered(long now, int number, Answer answer) {
    if (!isOnItsWay(number)) {
      return Step.GoOn.UNCHANGED;
    }
    state = State.IDLE;
    URI replica = attempt.replica();
    reach.reached(replica);
    if (answer.epoch() > 0) {
      views.sawEpoch(answer.epoch());
    }
    ResponseDisposition disposition = ResponseDisposition.of(answer);
    if (disposition.next() == ResponseDisposition.Step.TAKE) {
      views.served(replica);
      if (replica.equals(promising)) {
        views.prefer(replica);
      }
      return new Step.Take(answer);
    }
    recordOutcome(disposition.certainty(), disposition.reason());
    if (isAbsentEverywhere(now, answer)) {
      return fail("No replica has a service at this path (check the address)", null);
    }
    if (disposition.next() == ResponseDisposition.Step.STOP) {
      return fail(replica + " refused", disposition.code());
    }
    if (answer.refusal() != null) {
      views.learn(answer.refusal().view());
    }
    GroupView view = views.current();
    if (disposition.next() == ResponseDisposition.Step.REDIRECT && isRedirected(view, answer.refusal().target())) {
      return next(now);
    }
    if (view.epoch() > epoch) {
      return next(now);
    }
    if (disposition.next() == ResponseDisposition.Step.ELSEWHERE || !view.isServer(replica)) {
      route.avoid(replica);
    }
    return pause(now);
  }

  /**
   * Follows a redirect once; a replica that redirects retries is not followed. A redirect to a newcomer is followed when it is time
   * to try that one: until then, the replica serves the next attempt.
   */
  private boolean isRedirected(GroupView view, int target) {
    if (redirected) {
      return false;
    }
    redirected = true;
    for (ReplicaAddress one : view.replicas()) {
      if (one.id() == target && one.member() && !one.address().equals(attempt.replica())) {
        if (views.isNewcomer(one.address())) {
          if (!fitForTrial || !views.claimTrial(one)) {
            return true;
          }
          trial = one.address();
          promising = trial;
        } else if (one.isServer()) {
          views.prefer(one.address());
        }
        route.redirect(one.address());
        return true;
      }
    }
    return false;
  }

  /**
   * Handles the end of the attempt in flight without an answer.
   *
   * @param number of the attempt; the end of an earlier one is ignored
   * @param error for people
   */
  public Step unanswered(long now, int number, NoAnswer how, IOException error) {
    if (!isOnItsWay(number)) {
      return Step.GoOn.UNCHANGED;
    }
    state = State.IDLE;
    if (how == NoAnswer.BROKEN_OFF) {
      recordOutcome(Certainty.UNKNOWN, "cancelled: the replica does not serve updates in a newer view, or the client was closed");
      return next(now);
    }
    URI replica = attempt.replica();
    if (isTrial() && (how == NoAnswer.TIMED_OUT || now - attempt.deadline() >= 0)) {
      recordOutcome(
          how == NoAnswer.NOT_SENT ? Certainty.NOT_EXECUTED : Certainty.UNKNOWN,
          "joined lately, and did not answer this request within 50 ms");
      route.avoid(replica);
      return next(now);
    }
    lastError = error;
    reach.failed(replica, now);
    recordOutcome(how == NoAnswer.NOT_SENT ? Certainty.NOT_EXECUTED : Certainty.UNKNOWN, reason(how, error));
    if (how == NoAnswer.CONNECTION_LOST && !replica.equals(retriedAtOnce)) {
      // Usually a kept-alive connection that the replica had closed; a crashed replica refuses the next one at once.
      retriedAtOnce = replica;
      if (isTrial()) {
        trial = replica;
        route.redirect(replica);
      }
      return next(now);
    }
    route.avoid(replica);
    views.preferNoLonger(replica);
    return pause(now);
  }

  /** Time has passed; ends a pause whose time is up. */
  public Step timePasses(long now) {
    return state == State.PAUSING && now - pausedUntil >= 0 ? next(now) : Step.GoOn.UNCHANGED;
  }

  /** Handles a newer view: ends a pause, and aborts an attempt at a replica that no longer serves the message. */
  public Step viewChanged(long now, GroupView view) {
    news = true;
    return switch (state) {
      case IDLE -> Step.GoOn.UNCHANGED;
      case PAUSING -> next(now);
      case SENDING -> attempt.isSupersededBy(view) ? breakOff() : Step.GoOn.UNCHANGED;
    };
  }

  /**
   * Stops: no further attempt begins.
   *
   * @param why the first words of the failure's message
   */
  public Step stopped(long now, String why) {
    stopped = why;
    return switch (state) {
      case IDLE -> Step.GoOn.UNCHANGED;
      case PAUSING -> next(now);
      case SENDING -> breakOff();
    };
  }

  private Step breakOff() {
    if (breaking) {
      return Step.GoOn.UNCHANGED;
    }
    breaking = true;
    return Step.BreakOff.NOW;
  }

  /** Whether the attempt in flight tries a newcomer, and has less time therefore. */
  private boolean isTrial() {
    return attempt.deadline() != deadline;
  }

  private boolean isOnItsWay(int number) {
    return state == State.SENDING && attempt.number() == number;
  }

  private Step next(long now) {
    if (deadline - now <= 0) {
      return fail("No replica returned a result before the deadline", null);
    }
    if (stopped != null) {
      return fail(stopped, null);
    }
    // Before the choice, so that a view that arrives in between counts.
    epoch = views.current().epoch();
    URI replica = route.next(now);
    // While another server can be asked.
    boolean brief = replica.equals(trial) && views.servers().size() > 1;
    trial = null;
    // Not the lower of two times: those may overflow.
    long end = brief && deadline - now > PATIENCE_NANOS ? now + PATIENCE_NANOS : deadline;
    attempt = new Step.Send(replica, ++attempts, route.isDetour(now), end);
    state = State.SENDING;
    breaking = false;
    news = false;
    return attempt;
  }

  private Step pause(long now) {
    pausedUntil = now + Math.min(pauses.after(pausesMade++), deadline - now);
    if (news || stopped != null || pausedUntil - now <= 0) {
      return next(now);
    }
    state = State.PAUSING;
    return new Step.Pause(pausedUntil);
  }

  private boolean isAbsentEverywhere(long now, Answer answer) {
    if (answer.isSoap() || answer.status() != 404) {
      absentAt.clear();
      return false;
    }
    if (absentAt.isEmpty()) {
      absentSince = now;
    }
    absentAt.add(attempt.replica());
    return absentAt.containsAll(views.addresses()) && now - absentSince > absence;
  }

  private void recordOutcome(Certainty certainty, String reason) {
    pending = certainty == Certainty.PENDING;
    mayHaveRun |= certainty != Certainty.NOT_EXECUTED;
    tried.put(attempt.replica(), new Tried(attempt.replica(), reason));
  }

  private static String reason(NoAnswer how, IOException error) {
    String message = error.getMessage();
    String name =
        (error.getCause() != null && how == NoAnswer.NOT_SENT ? error.getCause() : error).getClass().getSimpleName();
    return message == null ? name : name + ": " + message;
  }

  private Step fail(String what, FailureCode code) {
    state = State.IDLE;
    Certainty certainty = pending ? Certainty.PENDING : mayHaveRun ? Certainty.UNKNOWN : Certainty.NOT_EXECUTED;
    if (code != null && code.coversAllAttempts()) {
      certainty = code.certainty();
    }
    List<Tried> list = new ArrayList<>(tried.values());
    return new Step.Fail(new InvocationFailedException(what, list, certainty, code, lastError));
  }
}
