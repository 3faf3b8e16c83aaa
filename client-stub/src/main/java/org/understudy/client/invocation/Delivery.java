package org.understudy.client.invocation;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.understudy.client.InvocationFailedException;
import org.understudy.client.InvocationFailedException.Tried;
import org.understudy.client.connection.Attempt;
import org.understudy.client.connection.NotSentException;
import org.understudy.client.envelope.Answer;
import org.understudy.client.view.GroupView;
import org.understudy.replication.api.Certainty;
import org.understudy.replication.api.FailureCode;

/**
 * Brings one message to the primary and its answer back: {@code OP} and {@code INVOKE_OP} of Zhang et al. 2004, Fig. 2,
 * on the caller's own thread. Instead of a second thread that resends, news of a failover closes the socket the caller
 * waits on, and the caller resends.
 */
public final class Delivery {
  /** So long a service may be absent everywhere, as while it is deployed anew; after that the address is wrong. */
  private static final long LONGEST_ABSENCE_NANOS = 5_000_000_000L;

  private final Carrier carrier;
  private final Letter letter;
  private final long deadline;
  private final Route route;
  private final Map<URI, Tried> tried = new LinkedHashMap<>(4);
  private boolean mayHaveRun;
  private boolean pending;
  private int attempts;
  private int pauses;
  private URI retriedAtOnce;
  private IOException lastError;
  private final Set<URI> absentAt = new HashSet<>(0);
  private long absentSince;
  private final long absence;

  // Guarded by this; everything above belongs to the delivering thread.
  private Attempt current;
  private boolean news;
  private String stopped;

  /**
   * @param deadline in {@link System#nanoTime()}
   */
  public Delivery(Carrier carrier, Letter letter, long deadline) {
    this.carrier = carrier;
    this.letter = letter;
    this.deadline = deadline;
    this.absence = Math.min(LONGEST_ABSENCE_NANOS, (deadline - System.nanoTime()) / 4);
    this.route = new Route(carrier.views(), carrier.reach());
  }

  /**
   * Blocks until there is an answer that is a result (a service's own fault is one).
   *
   * @throws InvocationFailedException when the time is up, a replica refused for good, or the group was closed
   */
  public Answer deliver() throws InvocationFailedException {
    carrier.open().add(this);
    try {
      while (true) {
        Answer answer = attempt();
        if (answer != null) {
          return answer;
        }
      }
    } finally {
      carrier.open().remove(this);
    }
  }

  /** One attempt; null when another one is to follow. */
  private Answer attempt() throws InvocationFailedException {
    long left = deadline - System.nanoTime();
    if (left <= 0) {
      throw failure("No replica gave a result in time", null);
    }
    GroupView view = carrier.views().current();
    Attempt attempt = letter.attempt(route.next(), ++attempts, route.isDetour());
    if (!begin(attempt, view)) {
      attempts--;
      return null;
    }
    try {
      return judge(attempt, carrier.connections().send(attempt, Duration.ofNanos(left)));
    } catch (IOException e) {
      if (e instanceof InvocationFailedException failed) {
        throw failed;
      }
      onError(attempt, e);
      return null;
    } finally {
      end();
    }
  }

  /** False when a view came in between: the choice of the replica is out of date. */
  private synchronized boolean begin(Attempt attempt, GroupView chosenIn) throws InvocationFailedException {
    if (stopped != null) {
      throw failure(stopped, null);
    }
    if (carrier.views().current() != chosenIn) {
      return false;
    }
    news = false;
    current = attempt;
    return true;
  }

  private synchronized void end() {
    current = null;
  }

  private Answer judge(Attempt attempt, Answer answer) throws InvocationFailedException {
    carrier.reach().reached(attempt.replica());
    if (answer.epoch() > 0) {
      carrier.views().sawEpoch(answer.epoch());
    }
    Judgement judgement = Judgement.of(answer);
    if (judgement.next() == Judgement.Step.TAKE) {
      return answer;
    }
    note(attempt, judgement.certainty(), judgement.reason());
    noteAbsence(attempt, answer);
    if (judgement.next() == Judgement.Step.STOP) {
      throw failure(attempt.replica() + " refused", judgement.code());
    }
    long before = carrier.views().current().epoch();
    if (answer.refusal() != null) {
      carrier.views().learn(answer.refusal().view());
    }
    if (carrier.views().current().epoch() > before) {
      return null;
    }
    boolean isPrimary = attempt.replica().equals(carrier.views().current().primary());
    if (judgement.next() == Judgement.Step.ELSEWHERE || !isPrimary) {
      route.avoid(attempt.replica());
    }
    pause();
    return null;
  }

  private void noteAbsence(Attempt attempt, Answer answer) throws InvocationFailedException {
    if (answer.isSoap() || answer.status() != 404) {
      absentAt.clear();
      return;
    }
    if (absentAt.isEmpty()) {
      absentSince = System.nanoTime();
    }
    absentAt.add(attempt.replica());
    if (absentAt.containsAll(carrier.views().addresses()) && System.nanoTime() - absentSince > absence) {
      throw failure("There is no such service at any replica; is the address right?", null);
    }
  }

  private void onError(Attempt attempt, IOException error) {
    if (attempt.isAborted()) {
      note(attempt, Certainty.UNKNOWN, "broken off: another replica became primary, or the client was closed");
      return;
    }
    lastError = error;
    carrier.reach().failed(attempt.replica());
    boolean notSent = error instanceof NotSentException;
    note(attempt, notSent ? Certainty.NOT_EXECUTED : Certainty.UNKNOWN, reason(error));
    if (!notSent && !(error instanceof SocketTimeoutException) && !attempt.replica().equals(retriedAtOnce)) {
      // Most often a kept-alive connection that the replica had closed; a dead replica refuses the next one at once.
      retriedAtOnce = attempt.replica();
      return;
    }
    route.avoid(attempt.replica());
    pause();
  }

  private void note(Attempt attempt, Certainty certainty, String reason) {
    pending = certainty == Certainty.PENDING;
    mayHaveRun |= certainty != Certainty.NOT_EXECUTED;
    tried.put(attempt.replica(), new Tried(attempt.replica(), reason));
  }

  private static String reason(IOException error) {
    String message = error.getMessage();
    String name = (error.getCause() != null && error instanceof NotSentException ? error.getCause() : error)
        .getClass().getSimpleName();
    return message == null ? name : name + ": " + message;
  }

  /** Waits a little, less if news comes. */
  private void pause() {
    long until = System.nanoTime() + Math.min(carrier.pauses().after(pauses++), deadline - System.nanoTime());
    synchronized (this) {
      boolean interrupted = false;
      for (long left = until - System.nanoTime(); left > 0 && !news && stopped == null; left = until - System.nanoTime()) {
        try {
          TimeUnit.NANOSECONDS.timedWait(this, left);
        } catch (InterruptedException e) {
          interrupted = true;
          stopped = "The calling thread was interrupted";
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Breaks off an attempt that goes to a replica which is no longer the primary. Any thread; does not block. */
  void viewChanged(GroupView view) {
    synchronized (this) {
      news = true;
      if (current != null && view.primary() != null && !current.replica().equals(view.primary())) {
        current.abort();
      }
      notifyAll();
    }
  }

  void abandon() {
    synchronized (this) {
      stopped = "The fault-tolerant client was closed";
      if (current != null) {
        current.abort();
      }
      notifyAll();
    }
  }

  private InvocationFailedException failure(String what, FailureCode code) {
    Certainty certainty = pending ? Certainty.PENDING : mayHaveRun ? Certainty.UNKNOWN : Certainty.NOT_EXECUTED;
    if (code == FailureCode.ExecutionFailed || code == FailureCode.TooLarge || code == FailureCode.ReplyDiscarded) {
      // Stored under the request's identity: it holds for all attempts.
      certainty = code.certainty();
    }
    List<Tried> list = new ArrayList<>(tried.values());
    return new InvocationFailedException(what, list, certainty, code, lastError);
  }
}
