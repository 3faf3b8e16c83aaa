package org.understudy.container.forwarding.http;

import java.io.IOException;
import java.net.ConnectException;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.container.forwarding.ForwardedAnswer;
import org.understudy.container.forwarding.ForwardedRequest;
import org.understudy.container.forwarding.NoAnswer;
import org.understudy.container.forwarding.Servers;
import org.understudy.container.forwarding.Step;
import org.understudy.container.forwarding.http.ForwardingConnections.Answer;
import org.understudy.container.forwarding.http.ForwardingConnections.NoRoomException;
import org.understudy.container.forwarding.http.ForwardingConnections.ResponseTooLongException;
import org.understudy.container.forwarding.http.ForwardingConnections.Try;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.request.Failure;

/**
 * Runs one forwarded request on a thread. {@link ForwardedRequest} makes the decisions; this class provides the clock, the
 * connection and the waits. If the task ends before a thread begins it, the container sends the response to the client.
 */
final class ForwardTask implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(ForwardTask.class);

  private final ForwardedClient client;
  private final ForwardedPost post;
  /** Used only by the thread that has set {@link #begun}. */
  private final ForwardedRequest request;
  private final Servers servers;
  private final Set<ForwardTask> open;
  /** Set when a thread begins the task or the task ends without one. */
  private final AtomicBoolean begun = new AtomicBoolean();
  private Answer last;
  private volatile boolean clientGone;

  // Guarded by this.
  private Step.Send sent;
  private long sentAt;
  private Try current;
  private boolean changePending;

  /**
   * @param servers the replicas that serve the request, as this replica knows them
   * @param open the set from which the task removes itself when its client has been answered
   */
  ForwardTask(
      ForwardedClient client,
      ForwardedPost post,
      ForwardedRequest request,
      Servers servers,
      Set<ForwardTask> open) {
    this.client = client;
    this.post = post;
    this.request = request;
    this.servers = servers;
    this.open = open;
  }

  String owner() {
    return post.caller().owner();
  }

  @Override
  public void run() {
    if (!begun.compareAndSet(false, true)) {
      return;
    }
    try {
      Step step = request.begin(System.nanoTime());
      while (step != null && !clientGone) {
        step = carryOut(step);
      }
      open.remove(this);
    } catch (RuntimeException | Error e) {
      // Errors too: a class cannot be loaded while no file descriptor is free. Nothing else would end the wait of the client.
      LOG.error("A request could not be forwarded. Check the limit of files (ulimit -n) and the heap; else it is a defect.", e);
      open.remove(this);
      client.fail(
          new Failure(
              FailureCode.OutcomeUnknown,
              "The request was not forwarded because this replica failed. It may have been executed."
                  + " See the server's log for the reason."));
    }
  }

  /** @return null when the client has been answered */
  private Step carryOut(Step step) {
    if (step instanceof Step.Send send) {
      return send(send);
    }
    if (step instanceof Step.Pause pause) {
      return pause(pause.until());
    }
    open.remove(this);
    if (step instanceof Step.PassOn) {
      client.passOn(last);
    } else if (step instanceof Step.Fail fail) {
      client.fail(fail.failure());
    } else {
      throw new IllegalStateException("A forwarding thread has nothing to do after " + step + ".");
    }
    return null;
  }

  private Step send(Step.Send send) {
    ReplicaId to = send.to();
    Try attempt = new Try();
    boolean superseded;
    synchronized (this) {
      superseded = send.isSupersededBy(servers.known());
      sent = send;
      sentAt = System.nanoTime();
      current = superseded || clientGone ? null : attempt;
      // A change before this attempt must not end the next pause.
      changePending = superseded;
    }
    if (clientGone) {
      return null;
    }
    if (superseded) {
      return request.unanswered(System.nanoTime(), send.number(), NoAnswer.NOT_SENT);
    }
    if (last != null) {
      last.drop();
      last = null;
    }
    try {
      last = post.send(to, send.limit().end(), attempt);
    } catch (ConnectException e) {
      LOG.debug("Replica {} cannot be reached by a forwarded request.", to, e);
      return request.unanswered(System.nanoTime(), send.number(), NoAnswer.NOT_SENT);
    } catch (ResponseTooLongException e) {
      LOG.warn("The response of replica {} to a forwarded request is too long to be passed on.", to, e);
      return request.unanswered(System.nanoTime(), send.number(), NoAnswer.TOO_LONG);
    } catch (NoRoomException e) {
      LOG.debug("There is no memory for the response of replica {} to a forwarded request.", to, e);
      return request.unanswered(System.nanoTime(), send.number(), NoAnswer.NO_ROOM);
    } catch (IOException e) {
      LOG.debug("A request forwarded to replica {} has no answer.", to, e);
      return request.unanswered(System.nanoTime(), send.number(), NoAnswer.LOST);
    } finally {
      synchronized (this) {
        current = null;
      }
    }
    ForwardedAnswer answer = post.read(to, last);
    return request.answered(System.nanoTime(), send.number(), answer);
  }

  /** Waits until a time, or until the servers change. */
  private Step pause(long until) {
    try {
      while (true) {
        boolean changed;
        synchronized (this) {
          for (long left = until - System.nanoTime(); left > 0 && !changePending && !clientGone; left = until - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
          }
          changed = changePending;
          changePending = false;
        }
        if (clientGone) {
          return null;
        }
        long now = System.nanoTime();
        Step step = changed ? request.serversChanged(now) : request.timePasses(now);
        if (!(step instanceof Step.GoOn)) {
          return step;
        }
      }
    } catch (InterruptedException e) {
      // The forwarding threads are interrupted only when this replica stops.
      return request.stopped();
    }
  }

  /** Cancels an attempt at a replica that no longer serves the request. Called by any thread; does not block. */
  synchronized void serversChanged() {
    changePending = true;
    if (current != null && sent.isSupersededBy(servers.known())) {
      current.breakOff();
    }
    notifyAll();
  }

  /**
   * Ends the wait for a thread when its time is over, and that for a response when the attempt has lasted for too long or its receiver
   * seems to be gone. Called by any thread; does not block.
   *
   * @return true when this call ended the task before any thread began it
   */
  boolean timePasses(long now) {
    if (request.placeEnd() - now <= 0 && begun.compareAndSet(false, true)) {
      endWithoutThread(request.timePasses(now));
      return true;
    }
    synchronized (this) {
      if (current != null && sent.isOver(now, servers)) {
        current.breakOff();
      }
    }
    return false;
  }

  /** Whether the current attempt has waited for a response for longer than this. */
  synchronized boolean waitsLongerThan(long nanos, long now) {
    return current != null && now - sentAt > nanos;
  }

  /** Ends the task, because nobody waits for the response. Called by any thread; does not block. */
  void clientGone() {
    clientGone = true;
    if (begun.compareAndSet(false, true)) {
      open.remove(this);
      return;
    }
    synchronized (this) {
      if (current != null) {
        current.breakOff();
      }
      notifyAll();
    }
  }

  /** Reports the end of a task that no thread has begun. */
  private void endWithoutThread(Step step) {
    open.remove(this);
    if (step instanceof Step.Fail fail) {
      client.failWithoutThread(fail.failure());
    } else {
      throw new IllegalStateException("A task that no thread has begun cannot end with " + step + ".");
    }
  }

  /** Ends the task because too many requests wait for a thread. Called by any thread; does not block. */
  void crowded() {
    if (begun.compareAndSet(false, true)) {
      endWithoutThread(request.crowded());
    }
  }

  /** Ends the task if no thread has begun it. Called by any thread; does not block. */
  void stop() {
    if (begun.compareAndSet(false, true)) {
      endWithoutThread(request.stopped());
    }
  }
}
