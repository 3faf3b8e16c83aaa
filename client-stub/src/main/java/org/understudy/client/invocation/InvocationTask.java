package org.understudy.client.invocation;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.understudy.client.connection.Attempt;
import org.understudy.client.connection.NotSentException;
import org.understudy.client.envelope.Answer;
import org.understudy.client.view.GroupView;

/**
 * Sends one message to a replica that serves it and returns its answer: {@code OP} and {@code INVOKE_OP} of Zhang et al.
 * 2004, Fig. 2, on the caller's own thread. {@link RetryingInvocation} decides; this class has the clock, the connections
 * and the waiting. Instead of a second thread that resends, a new view closes the socket on which the caller waits, and the
 * caller resends.
 */
public final class InvocationTask {
  private final ClientContext carrier;
  private final RequestTemplate letter;
  private final long deadline;
  /** Used only by the thread that sends. */
  private final RetryingInvocation invocation;

  // Guarded by this.
  private Step.Send asked;
  private Attempt current;
  private GroupView news;
  private String stopped;

  /**
   * @param deadline in {@link System#nanoTime()}
   */
  public InvocationTask(ClientContext carrier, RequestTemplate letter, long deadline) {
    this.carrier = carrier;
    this.letter = letter;
    this.invocation =
        new RetryingInvocation(
            carrier.views(), carrier.reach(), carrier.pauses(), letter.isFitForTrial(), System.nanoTime(), deadline);
    this.deadline = deadline;
  }

  /**
   * Blocks until there is a result (a service's own fault is one).
   *
   * @throws InvocationFailedException when the deadline passes, a replica refuses for good, or the group is closed
   */
  public Answer deliver() throws InvocationFailedException {
    carrier.open().add(this);
    try {
      Step step = invocation.begin(System.nanoTime());
      while (true) {
        if (step instanceof Step.Send send) {
          step = send(send);
        } else if (step instanceof Step.Pause pause) {
          step = pause(pause.until());
        } else if (step instanceof Step.Take take) {
          return take.answer();
        } else if (step instanceof Step.Fail fail) {
          throw fail.failure();
        } else {
          throw new IllegalStateException("A delivering thread has nothing to do after " + step + ".");
        }
      }
    } finally {
      carrier.open().remove(this);
    }
  }

  private Step send(Step.Send send) {
    Attempt attempt = letter.attempt(send.replica(), send.number(), send.forward());
    long now = System.nanoTime();
    if (!begin(send, attempt)) {
      return invocation.withdrawn(now);
    }
    Future<?> limit = send.deadline() != deadline ? abortAfter(attempt, send.deadline() - now) : null;
    Answer answer;
    try {
      Duration left = Duration.ofNanos(Math.max(1, send.deadline() - now));
      answer = attempt.connections().send(attempt, letter.patience(left, carrier.responseTimeout()));
    } catch (IOException e) {
      end();
      return invocation.unanswered(System.nanoTime(), send.number(), how(send, attempt, e), e);
    } catch (RuntimeException | Error e) {
      end();
      throw e;
    } finally {
      if (limit != null) {
        limit.cancel(false);
      }
    }
    end();
    return invocation.answered(System.nanoTime(), send.number(), answer);
  }

  /** Limits all of an attempt: the timeout of the connection is one for each wait, and the handshake of TLS has another one. */
  private Future<?> abortAfter(Attempt attempt, long nanos) {
    try {
      return carrier.clock().schedule(attempt::abort, nanos, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      return null; // The client is being closed, which aborts the attempt too.
    }
  }

  /** False when a view or the close came after the replica was chosen. */
  private synchronized boolean begin(Step.Send send, Attempt attempt) {
    if (stopped != null) {
      invocation.stopped(System.nanoTime(), stopped);
      return false;
    }
    if (!invocation.isUpToDate()) {
      return false;
    }
    news = null;
    asked = send;
    current = attempt;
    return true;
  }

  private synchronized void end() {
    asked = null;
    current = null;
  }

  private static NoAnswer how(Step.Send send, Attempt attempt, IOException error) {
    if (attempt.isAborted() && System.nanoTime() - send.deadline() < 0) {
      return NoAnswer.BROKEN_OFF;
    }
    if (error instanceof NotSentException) {
      return NoAnswer.NOT_SENT;
    }
    return attempt.isAborted() || error instanceof SocketTimeoutException ? NoAnswer.TIMED_OUT : NoAnswer.CONNECTION_LOST;
  }

  /** Waits, less if a view arrives. */
  private Step pause(long until) {
    boolean interrupted = false;
    GroupView came;
    String end;
    synchronized (this) {
      for (long left = until - System.nanoTime(); left > 0 && news == null && stopped == null; left = until - System.nanoTime()) {
        try {
          TimeUnit.NANOSECONDS.timedWait(this, left);
        } catch (InterruptedException e) {
          interrupted = true;
          stopped = "The calling thread was interrupted";
        }
      }
      came = news;
      end = stopped;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    long now = System.nanoTime();
    if (end != null) {
      return invocation.stopped(now, end);
    }
    return came != null ? invocation.viewChanged(now, came) : invocation.timePasses(now);
  }

  /** Aborts an attempt at a replica that no longer serves it. Any thread; does not block. */
  void viewChanged(GroupView view) {
    synchronized (this) {
      news = view;
      if (current != null && asked.isSupersededBy(view)) {
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
}
