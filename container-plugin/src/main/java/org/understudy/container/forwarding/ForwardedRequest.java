package org.understudy.container.forwarding;

import java.util.ArrayList;
import java.util.List;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.request.Failure;

/**
 * Decides on the attempts to have one client's request served by a replica, as a step function. It has no clock, thread or
 * connection: every input carries the time and returns the next action. A request is retried only when that is safe: if nothing
 * was sent, if the response states that nothing was executed, or if a duplicate is harmless. In the last case it is retried
 * also when its outcome is unknown.
 *
 * <p>A replica that has the request may take as long as it takes directly with a client, see {@link WaitLimits}. Only the rest of the time
 * is limited by the deadline of a request: the wait for a thread, the pauses, and an attempt at a replica that is silent.
 *
 * <p>The request first waits for a thread: call {@link #begin} when one is free, {@link #crowded} when too many requests wait.
 * After {@link Step.Send} call {@link #answered} or {@link #unanswered}. {@link #timePasses}, {@link #serversChanged} and
 * {@link #stopped} may be called at any time. {@link Step.PassOn} and {@link Step.Fail} are final. Not thread-safe.
 */
public final class ForwardedRequest {
  static final long PAUSE_NANOS = 50_000_000L;

  private static final String NOT_EXECUTED = " Nothing was executed. Retry.";
  private static final String AT_ANOTHER = " Nothing was executed. Retry at another replica.";
  private static final String MAY_HAVE_RUN = " It may have been executed. " + Failure.RETRY_WITH_ID;

  private enum State {
    WAITING,
    SENDING,
    PAUSING,
    ENDED
  }

  private final Repetition repetition;
  private final Servers servers;
  private final WaitLimits limits;
  private final long placeEnd;
  /** When this request ends, whatever happens. */
  private final long end;
  /** When this request ends unless a replica has it. */
  private long searchEnd;
  private State state = State.WAITING;
  /** The latest attempt, or null. */
  private Step.Send attempt;
  private long sentAt;
  private int attempts;
  private boolean cancelling;
  private boolean stopped;
  private long pausedUntil;
  /** Whether an attempt may have been executed. */
  private boolean mayHaveRun;
  /** The reason of the last rejection after which the request is retried. */
  private String lastRefusal;

  /** Creates the decisions for a request that the forwarding replica has not executed itself. */
  public ForwardedRequest(Repetition repetition, Servers servers, long arrived, WaitLimits limits) {
    this(repetition, false, servers, arrived, limits);
  }

  /**
   * Creates the decisions for one request.
   *
   * @param repetition the effect of a second attempt
   * @param mayHaveRun whether the request may have been executed already, by the replica that forwards it now
   * @param arrived when the request arrived; later by the time in which the forwarding replica has executed it
   */
  public ForwardedRequest(Repetition repetition, boolean mayHaveRun, Servers servers, long arrived, WaitLimits limits) {
    this.repetition = repetition;
    this.mayHaveRun = mayHaveRun;
    this.servers = servers;
    this.limits = limits;
    this.placeEnd = arrived + limits.search();
    this.searchEnd = placeEnd;
    this.end = placeEnd + limits.answer();
  }

  /** Until when the request waits for a thread. */
  public long placeEnd() {
    return placeEnd;
  }

  /** Starts the first attempt: a thread is free for the request. */
  public Step begin(long now) {
    return placeEnd - now <= 0 ? failWaited() : next(now);
  }

  /** Ends the request because too many requests wait for a thread. */
  public Step crowded() {
    return failWithoutThread("Too many requests wait at this replica to be forwarded.");
  }

  /**
   * Handles a replica's response to the current attempt.
   *
   * @param number of the attempt; a response to an earlier one is ignored
   */
  public Step answered(long now, int number, ForwardedAnswer answer) {
    if (!isCurrent(number)) {
      return Step.GoOn.UNCHANGED;
    }
    prolongSearch(now);
    if (answer.isElsewhere()) {
      lastRefusal = answer.reason();
      // A restarted replica rejects the first proof, which was made for its previous instance.
      return answer.newInstance() ? next(now) : pause(now);
    }
    if (answer.isUnknown() && repetition != Repetition.IS_ANOTHER_REQUEST) {
      lastRefusal = answer.reason();
      mayHaveRun |= repetition == Repetition.IS_RECOGNISED;
      return pause(now);
    }
    if (mayHaveRun && answer.coversThisAttemptOnly()) {
      lastRefusal = answer.reason();
      return answer.isTerminal() ? failTerminally() : pause(now);
    }
    state = State.ENDED;
    return new Step.PassOn(number);
  }

  /**
   * Handles the end of the current attempt without a response.
   *
   * @param number of the attempt; the end of an earlier one is ignored
   */
  public Step unanswered(long now, int number, NoAnswer how) {
    if (!isCurrent(number)) {
      return Step.GoOn.UNCHANGED;
    }
    lastRefusal = null;
    if (how == NoAnswer.TOO_LONG) {
      return failTooLong();
    }
    if (how == NoAnswer.LOST && !attempt.isOver(now, servers)) {
      prolongSearch(now);
    }
    if (how == NoAnswer.NOT_SENT || repetition == Repetition.EXECUTES_NOTHING) {
      return pause(now);
    }
    mayHaveRun = true;
    if (repetition == Repetition.IS_RECOGNISED) {
      return pause(now);
    }
    String what =
        how == NoAnswer.NO_ROOM
            ? "This replica had no memory for the response of replica " + attempt.to() + " to the forwarded request"
            : "Replica " + attempt.to() + " did not respond to the forwarded request" + describeWait(now);
    return fail(
        FailureCode.OutcomeUnknown,
        what + "." + MAY_HAVE_RUN);
  }

  /** The client must not learn that nothing was executed: that holds for the last attempt only. */
  private Step failTerminally() {
    return fail(
        FailureCode.OutcomeUnknown,
        "Replica " + attempt.to() + " rejected the forwarded request with " + lastRefusal + ", and would reject each repetition. An "
            + "earlier attempt of this request may have been executed. Look at the state before you send another request.");
  }

  /** The time in which a replica had the request is not part of the search for one, unless that replica seems to be gone. */
  private void prolongSearch(long now) {
    long prolonged = searchEnd + now - sentAt;
    searchEnd = end - prolonged < 0 ? end : prolonged;
  }

  private String describeWait(long now) {
    if (attempt.limit().isSilent(now, servers.silentNanos(attempt.to()))) {
      return " before its deadline (understudy.request.deadline.ms), and nothing else has come from that replica for as long";
    }
    return end - now <= 0
        ? " in the longest time that a replica takes (understudy.execution.ms, understudy.request.deadline.ms)"
        : "";
  }

  private Step failTooLong() {
    String what = "The response of replica " + attempt.to() + " is too long for another replica to pass on.";
    return repetition == Repetition.EXECUTES_NOTHING
        ? fail(FailureCode.TooLarge, what + " Send the request to that replica.")
        : fail(FailureCode.OutcomeUnknown, what + " The request may have been executed.");
  }

  /** Checks the deadline of the wait for a thread, of a pause or of an attempt. */
  public Step timePasses(long now) {
    return switch (state) {
      case WAITING -> placeEnd - now <= 0 ? failWaited() : Step.GoOn.UNCHANGED;
      case SENDING -> attempt.isOver(now, servers) || servers.isOutOfReach(attempt.to()) ? cancelAttempt() : Step.GoOn.UNCHANGED;
      case PAUSING -> pausedUntil - now <= 0 ? next(now) : Step.GoOn.UNCHANGED;
      case ENDED -> Step.GoOn.UNCHANGED;
    };
  }

  /** Handles a change of servers: cancels an attempt at a former server, and ends a pause. */
  public Step serversChanged(long now) {
    boolean superseded = attempt != null && attempt.isSupersededBy(servers.known());
    return switch (state) {
      case SENDING -> superseded ? cancelAttempt() : Step.GoOn.UNCHANGED;
      case PAUSING -> superseded || attempt == null && !servers.known().isEmpty() ? next(now) : Step.GoOn.UNCHANGED;
      case WAITING, ENDED -> Step.GoOn.UNCHANGED;
    };
  }

  /** Ends the request because the forwarding replica is being stopped. */
  public Step stopped() {
    stopped = true;
    return switch (state) {
      case SENDING -> cancelAttempt();
      case WAITING, PAUSING -> failStopped();
      case ENDED -> Step.GoOn.UNCHANGED;
    };
  }

  private Step cancelAttempt() {
    if (cancelling) {
      return Step.GoOn.UNCHANGED;
    }
    cancelling = true;
    return Step.BreakOff.NOW;
  }

  private boolean isCurrent(int number) {
    return state == State.SENDING && attempt.number() == number;
  }

  private Step next(long now) {
    if (stopped) {
      return failStopped();
    }
    List<ReplicaId> known = servers.known();
    if (searchEnd - now <= 0) {
      return fail(mayHaveRun ? FailureCode.OutcomeUnknown : FailureCode.NotReady, describeDeadline());
    }
    if (known.isEmpty()) {
      return pause(now);
    }
    List<ReplicaId> reached = new ArrayList<>(known);
    reached.removeIf(servers::isOutOfReach);
    if (reached.isEmpty()) {
      return failOutOfReach(known);
    }
    attempt = new Step.Send(nextServer(reached), ++attempts, new Step.AttemptLimit(searchEnd, limits.search(), end));
    sentAt = now;
    cancelling = false;
    state = State.SENDING;
    return attempt;
  }

  /** Returns the server after that of the last attempt in the list; the first one at the beginning. */
  private ReplicaId nextServer(List<ReplicaId> known) {
    int last = attempt == null ? -1 : known.indexOf(attempt.to());
    return known.get((last + 1) % known.size());
  }

  private Step pause(long now) {
    if (stopped || searchEnd - now <= 0) {
      return next(now);
    }
    pausedUntil = now + Math.min(PAUSE_NANOS, searchEnd - now);
    state = State.PAUSING;
    return new Step.Pause(pausedUntil);
  }

  private String describeDeadline() {
    if (attempt == null) {
      return "No replica was known to serve the request until its deadline." + (mayHaveRun ? MAY_HAVE_RUN : NOT_EXECUTED);
    }
    String what =
        lastRefusal == null
            ? " did not respond to the forwarded request in time."
            : " rejected the forwarded request until its deadline, the last time with " + lastRefusal + ".";
    return "Replica " + attempt.to() + what + (mayHaveRun ? MAY_HAVE_RUN : NOT_EXECUTED);
  }

  private Step failWaited() {
    return failWithoutThread("The request waited at this replica until its deadline to be forwarded.");
  }

  private Step failWithoutThread(String why) {
    return mayHaveRun
        ? fail(FailureCode.OutcomeUnknown, why + MAY_HAVE_RUN)
        : fail(FailureCode.Overloaded, why + NOT_EXECUTED);
  }

  private Step failOutOfReach(List<ReplicaId> known) {
    String why = "Replica " + known.get(0) + ", which serves the request, goes on without this replica and is not heard here.";
    return mayHaveRun
        ? fail(FailureCode.OutcomeUnknown, why + MAY_HAVE_RUN)
        : fail(FailureCode.NotReady, why + AT_ANOTHER);
  }

  private Step failStopped() {
    return mayHaveRun
        ? fail(FailureCode.OutcomeUnknown, "This replica is being stopped." + MAY_HAVE_RUN)
        : fail(FailureCode.NotReady, "This replica is being stopped." + AT_ANOTHER);
  }

  private Step fail(FailureCode code, String why) {
    state = State.ENDED;
    return new Step.Fail(new Failure(code, why));
  }
}
