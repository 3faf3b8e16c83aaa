package org.understudy.container.request;

import java.io.IOException;
import java.net.ConnectException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.container.forwarding.ForwardedAnswer;
import org.understudy.container.forwarding.ForwardedRequest;
import org.understudy.container.forwarding.NoAnswer;
import org.understudy.container.forwarding.Step;
import org.understudy.container.request.ForwardingConnections.Answer;
import org.understudy.container.request.ForwardingConnections.ResponseTooLongException;
import org.understudy.container.request.ForwardingConnections.Try;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Failure;

/**
 * Runs one forwarded request on a thread of its own. {@link ForwardedRequest} decides; this class has the clock, the connection
 * and the waits. Until a thread has begun, the caller that ends the task sends the response to the client.
 */
final class ForwardTask implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(ForwardTask.class);

  private final ForwardedClient client;
  private final ForwardedPost post;
  /** Only the thread that has set {@link #begun} may use it. */
  private final ForwardedRequest request;
  private final Supplier<List<ReplicaId>> servers;
  private final Set<ForwardTask> open;
  /** A thread has begun with it, or none will. */
  private final AtomicBoolean begun = new AtomicBoolean();
  private Answer last;

  // Guarded by this.
  private Step.Send asked;
  private Try current;
  private boolean news;

  /**
   * @param servers of the request, as this replica knows them
   * @param open from which this takes itself when its client has its answer
   */
  ForwardTask(
      ForwardedClient client,
      ForwardedPost post,
      ForwardedRequest request,
      Supplier<List<ReplicaId>> servers,
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
      while (step != null) {
        step = carryOut(step);
      }
    } catch (RuntimeException e) {
      LOG.error("A request could not be forwarded because of a defect of this replica.", e);
      open.remove(this);
      client.fail(
          new Failure(
              FailureCode.OutcomeUnknown,
              "The request was not forwarded because of a defect of this replica. It may have been executed."
                  + " See the server's log for the reason."));
    }
  }

  /** @return null when the client has its answer */
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
      superseded = send.isSupersededBy(servers.get());
      asked = send;
      current = superseded ? null : attempt;
      // Otherwise it ends the pause that follows.
      news = superseded;
    }
    if (superseded) {
      return request.unanswered(System.nanoTime(), send.number(), NoAnswer.NOT_SENT);
    }
    try {
      last = post.send(to, send.deadline(), attempt);
    } catch (ConnectException e) {
      LOG.debug("Replica {} cannot be reached by a forwarded request.", to, e);
      return request.unanswered(System.nanoTime(), send.number(), NoAnswer.NOT_SENT);
    } catch (ResponseTooLongException e) {
      LOG.warn("The response of replica {} to a forwarded request is too long to be passed on.", to, e);
      return request.unanswered(System.nanoTime(), send.number(), NoAnswer.TOO_LONG);
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

  /** Waits, less if other replicas serve the request. */
  private Step pause(long until) {
    try {
      while (true) {
        boolean came;
        synchronized (this) {
          for (long left = until - System.nanoTime(); left > 0 && !news; left = until - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
          }
          came = news;
          news = false;
        }
        long now = System.nanoTime();
        Step step = came ? request.serversChanged(now) : request.timePasses(now);
        if (!(step instanceof Step.GoOn)) {
          return step;
        }
      }
    } catch (InterruptedException e) {
      // The threads that forward are interrupted at the end, and only then.
      return request.stopped();
    }
  }

  /** Breaks an attempt off that waits for a replica which does not serve the request any more. Any thread; does not block. */
  synchronized void serversChanged() {
    news = true;
    if (current != null && asked.isSupersededBy(servers.get())) {
      current.breakOff();
    }
    notifyAll();
  }

  /**
   * Ends the waiting when the time is up, for an answer or for a thread. Any thread; does not block.
   *
   * @return whether no thread will begin with it
   */
  boolean timePasses(long now) {
    if (request.deadline() - now > 0) {
      return false;
    }
    if (begun.compareAndSet(false, true)) {
      carryOut(request.timePasses(now));
      return true;
    }
    synchronized (this) {
      if (current != null) {
        current.breakOff();
      }
    }
    return false;
  }

  /** Too many wait for a thread. */
  void crowded() {
    if (begun.compareAndSet(false, true)) {
      carryOut(request.crowded());
    }
  }

  /** No thread will begin with it, if none has. */
  void stop() {
    if (begun.compareAndSet(false, true)) {
      carryOut(request.stopped());
    }
  }
}
