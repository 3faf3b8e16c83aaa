package org.understudy.container.forwarding;

import java.util.List;
import java.util.function.Supplier;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Failure;

/**
 * Decides on the attempts to have one client's request served by a replica, as a step function. It has no clock, thread or
 * connection: every input brings the time and returns the next action. A request is retried only when that is safe: if nothing
 * was sent, if the response states that nothing was executed, or if a duplicate is harmless. In the last case it is retried
 * also when its outcome is unknown.
 *
 * <p>The request waits for a place first: {@link #begin} when there is one, {@link #crowded} when too many wait. After
 * {@link Step.Send} comes {@link #answered} or {@link #unanswered}. {@link #timePasses}, {@link #serversChanged} and
 * {@link #stopped} may come at any time. After {@link Step.PassOn} and {@link Step.Fail} nothing is expected. Not thread-safe.
 */
public final class ForwardedRequest {
  static final long PAUSE_NANOS = 50_000_000L;

  private static final String NOT_EXECUTED = " Nothing was executed. Retry.";
  private static final String MAY_HAVE_RUN = " It may have been executed. Retry with the same identity.";

  private enum State {
    WAITING,
    SENDING,
    PAUSING,
    ENDED
  }

  private final Repetition repetition;
  private final Supplier<List<ReplicaId>> servers;
  private final long deadline;
  private State state = State.WAITING;
  /** The last attempt, or null. */
  private Step.Send attempt;
  private int attempts;
  private boolean breaking;
  private boolean stopped;
  private long pausedUntil;
  /** Whether an attempt may have been executed. */
  private boolean doubtful;
  /** The reason of the last response, if it was a refusal after which the request is retried. */
  private String lastRefusal;

  /** A request that the forwarding replica has not executed itself. */
  public ForwardedRequest(Repetition repetition, Supplier<List<ReplicaId>> servers, long deadline) {
    this(repetition, false, servers, deadline);
  }

  /**
   * @param repetition what a second attempt would be
   * @param doubtful whether the request may have been executed already, by the replica that forwards it now
   * @param servers of the request, as the forwarding replica knows them: the preferred one first, empty when it knows none
   * @param deadline of the request
   */
  public ForwardedRequest(Repetition repetition, boolean doubtful, Supplier<List<ReplicaId>> servers, long deadline) {
    this.repetition = repetition;
    this.doubtful = doubtful;
    this.servers = servers;
    this.deadline = deadline;
  }

  public long deadline() {
    return deadline;
  }

  /** The request has a place. */
  public Step begin(long now) {
    return deadline - now <= 0 ? waitedTooLong() : next(now);
  }

  /** Too many requests wait for a place. */
  public Step crowded() {
    return hasNoPlace("Too many requests wait at this replica to be forwarded.");
  }

  /**
   * A replica answered the attempt on its way.
   *
   * @param number of the attempt; an answer to an earlier one is ignored
   */
  public Step answered(long now, int number, ForwardedAnswer answer) {
    if (!isOnItsWay(number)) {
      return Step.GoOn.UNCHANGED;
    }
    if (answer.isElsewhere()) {
      lastRefusal = answer.refused() == null ? "HTTP status " + answer.status() : answer.refused().name();
      // A replica that was started anew refuses the first proof, which was made for the one before.
      return answer.newInstance() ? next(now) : pause(now);
    }
    if (answer.isUnknown() && repetition != Repetition.IS_ANOTHER_REQUEST) {
      lastRefusal = answer.refused().name();
      doubtful |= repetition == Repetition.IS_RECOGNISED;
      return pause(now);
    }
    if (doubtful && answer.isNotExecuted()) {
      // Of this attempt it is right that nothing was executed; the one before may have been.
      return pause(now);
    }
    state = State.ENDED;
    return new Step.PassOn(number);
  }

  /**
   * The attempt on its way ended without an answer.
   *
   * @param number of the attempt; the end of an earlier one is ignored
   */
  public Step unanswered(long now, int number, NoAnswer how) {
    if (!isOnItsWay(number)) {
      return Step.GoOn.UNCHANGED;
    }
    lastRefusal = null;
    if (how == NoAnswer.TOO_LONG) {
      return tooLong();
    }
    if (how == NoAnswer.NOT_SENT || repetition == Repetition.EXECUTES_NOTHING) {
      return pause(now);
    }
    doubtful = true;
    if (repetition == Repetition.IS_RECOGNISED) {
      return pause(now);
    }
    return fail(
        FailureCode.OutcomeUnknown,
        "Replica " + attempt.to() + " did not respond to the forwarded request. It may have been executed, and it has no"
            + " wsa:MessageID by which a retry could be recognised.");
  }

  private Step tooLong() {
    String what = "The response of replica " + attempt.to() + " is too long for another replica to pass on.";
    return repetition == Repetition.EXECUTES_NOTHING
        ? fail(FailureCode.TooLarge, what + " Send the request to that replica.")
        : fail(FailureCode.OutcomeUnknown, what + " The request may have been executed.");
  }

  /** Time has passed: the waiting for a place, a pause or an attempt may be over. */
  public Step timePasses(long now) {
    return switch (state) {
      case WAITING -> deadline - now <= 0 ? waitedTooLong() : Step.GoOn.UNCHANGED;
      case SENDING -> deadline - now <= 0 ? breakOff() : Step.GoOn.UNCHANGED;
      case PAUSING -> pausedUntil - now <= 0 ? next(now) : Step.GoOn.UNCHANGED;
      case ENDED -> Step.GoOn.UNCHANGED;
    };
  }

  /** The request may have other servers: an attempt at a former one is broken off, and a pause ends. */
  public Step serversChanged(long now) {
    boolean superseded = attempt != null && attempt.isSupersededBy(servers.get());
    return switch (state) {
      case SENDING -> superseded ? breakOff() : Step.GoOn.UNCHANGED;
      case PAUSING -> superseded || attempt == null && !servers.get().isEmpty() ? next(now) : Step.GoOn.UNCHANGED;
      case WAITING, ENDED -> Step.GoOn.UNCHANGED;
    };
  }

  /** The forwarding replica is being stopped. */
  public Step stopped() {
    stopped = true;
    return switch (state) {
      case SENDING -> breakOff();
      case WAITING, PAUSING -> failStopped();
      case ENDED -> Step.GoOn.UNCHANGED;
    };
  }

  private Step breakOff() {
    if (breaking) {
      return Step.GoOn.UNCHANGED;
    }
    breaking = true;
    return Step.BreakOff.NOW;
  }

  private boolean isOnItsWay(int number) {
    return state == State.SENDING && attempt.number() == number;
  }

  private Step next(long now) {
    if (stopped) {
      return failStopped();
    }
    List<ReplicaId> known = servers.get();
    if (deadline - now <= 0) {
      return fail(doubtful ? FailureCode.OutcomeUnknown : FailureCode.NotReady, outOfTime());
    }
    if (known.isEmpty()) {
      return pause(now);
    }
    attempt = new Step.Send(following(known), ++attempts, deadline);
    breaking = false;
    state = State.SENDING;
    return attempt;
  }

  /** The server behind that of the last attempt; the first one at the beginning. */
  private ReplicaId following(List<ReplicaId> known) {
    int last = attempt == null ? -1 : known.indexOf(attempt.to());
    return known.get((last + 1) % known.size());
  }

  private Step pause(long now) {
    if (stopped || deadline - now <= 0) {
      return next(now);
    }
    pausedUntil = now + Math.min(PAUSE_NANOS, deadline - now);
    state = State.PAUSING;
    return new Step.Pause(pausedUntil);
  }

  private String outOfTime() {
    if (attempt == null) {
      return "No replica was known to serve the request until its deadline." + (doubtful ? MAY_HAVE_RUN : NOT_EXECUTED);
    }
    String what =
        lastRefusal == null
            ? " did not respond to the forwarded request in time."
            : " rejected the forwarded request until its deadline, the last time with " + lastRefusal + ".";
    return "Replica " + attempt.to() + what + (doubtful ? MAY_HAVE_RUN : NOT_EXECUTED);
  }

  private Step waitedTooLong() {
    return hasNoPlace("The request waited at this replica until its deadline to be forwarded.");
  }

  private Step hasNoPlace(String why) {
    return doubtful
        ? fail(FailureCode.OutcomeUnknown, why + MAY_HAVE_RUN)
        : fail(FailureCode.Overloaded, why + NOT_EXECUTED);
  }

  private Step failStopped() {
    return fail(
        doubtful ? FailureCode.OutcomeUnknown : FailureCode.NotReady, "This replica is being stopped. Retry at another replica.");
  }

  private Step fail(FailureCode code, String why) {
    state = State.ENDED;
    return new Step.Fail(new Failure(code, why));
  }
}
