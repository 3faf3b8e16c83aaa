package org.understudy.replication.runtime;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.Request;

/**
 * The calls that wait for an answer, by token. Each gets exactly one. Thread-safe.
 *
 * <p>Bounded by the core's admission and by the deadlines: a refused call ends in its first step; a waiting call ends after
 * the deadline and frees its place in the core.
 *
 * <p>Exceptions of callbacks are logged here and not propagated.
 */
final class PendingCalls {
  private static final Logger LOG = LoggerFactory.getLogger(PendingCalls.class);

  private final ConcurrentHashMap<Long, Pending> pending = new ConcurrentHashMap<>();
  private final LongSupplier clock;
  private final long deadlineNanos;
  private final long executionNanos;

  /**
   * @param clock monotonic, in nanoseconds
   * @param deadline for the wait before and after the execution
   * @param execution for the execution itself
   */
  PendingCalls(LongSupplier clock, Duration deadline, Duration execution) {
    this.clock = clock;
    this.deadlineNanos = deadline.toNanos();
    this.executionNanos = execution.toNanos();
  }

  private static final class Pending {
    final Call call;
    private long since;
    private boolean executing;
    private boolean read;
    private Overdue overdue = Overdue.NOT;

    Pending(Call call, long since) {
      this.call = call;
      this.since = since;
    }

    /** @return false when it has waited for too long: then it is not executed */
    synchronized boolean begin(long now, boolean reads) {
      if (overdue != Overdue.NOT) {
        return false;
      }
      since = now;
      read = reads;
      executing = true;
      return true;
    }

    /** @return whether it was a read */
    synchronized boolean end(long now) {
      since = now;
      executing = false;
      return read;
    }

    /** What has taken too long; read together with the decision. */
    synchronized Overdue overdue(long now, long deadline, long execution) {
      if (now - since > (executing ? execution : deadline)) {
        overdue = executing ? Overdue.EXECUTING : Overdue.WAITING;
      }
      return overdue;
    }
  }

  private enum Overdue {
    NOT,
    WAITING,
    EXECUTING
  }

  void add(long token, Call call) {
    pending.put(token, new Pending(call, clock.getAsLong()));
  }

  /** @return false when the call has failed meanwhile or cannot run: the execution is to be abandoned */
  boolean execute(long token, Request.Kind kind) {
    Pending one = pending.get(token);
    if (one == null || !one.begin(clock.getAsLong(), kind == Request.Kind.READ)) {
      return false;
    }
    try {
      one.call.execute(token, kind);
      return true;
    } catch (RuntimeException | Error e) {
      LOG.error("The execution of a request failed before the service was called; nothing was executed.", e);
      return false;
    }
  }

  /** @return whether it was a read that a caller still waits for: nothing of it is replicated */
  boolean executed(long token) {
    Pending one = pending.get(token);
    return one != null && one.end(clock.getAsLong());
  }

  void reply(long token, Reply reply) {
    Pending one = pending.remove(token);
    if (one != null) {
      guarded(() -> one.call.reply(reply));
    }
  }

  void fail(long token, Failure failure) {
    Pending one = pending.remove(token);
    if (one != null) {
      guarded(() -> one.call.fail(failure));
    }
  }

  /**
   * Fails calls that have waited or executed for too long.
   *
   * @param waited receives the token of each call that was not being executed and whose wait is to be cancelled
   * @param executing receives the token of each call that is being executed for too long, and goes on
   */
  void failOverdue(LongConsumer waited, LongConsumer executing) {
    long now = clock.getAsLong();
    for (Map.Entry<Long, Pending> entry : pending.entrySet()) {
      long token = entry.getKey();
      Overdue overdue = entry.getValue().overdue(now, deadlineNanos, executionNanos);
      if (overdue == Overdue.EXECUTING) {
        fail(token, stillExecuting(token));
        executing.accept(token);
      } else if (overdue == Overdue.WAITING) {
        fail(token, stillWaiting());
        waited.accept(token);
      }
    }
  }

  private Failure stillWaiting() {
    return new Failure(
        FailureCode.StillPending,
        "The request has no stable result after " + deadlineNanos / 1_000_000
            + " ms. " + Failure.RETRY_WITH_ID);
  }

  private Failure stillExecuting(long token) {
    // The thread that runs the service method logs the warning, because it knows the resource.
    LOG.debug("Request {} is still executed after {} ms; its call ends.", token, executionNanos / 1_000_000);
    return new Failure(
        FailureCode.StillPending,
        "The service has not returned after " + executionNanos / 1_000_000
            + " ms. " + Failure.RETRY_WITH_ID);
  }

  /** Fails the calls that wait now. One that begins meanwhile, such as a repetition, is not executed, and gets a failure that says so. */
  void failAll(Failure failure) {
    List.copyOf(pending.keySet()).forEach(token -> fail(token, failure));
  }

  private static void guarded(Runnable answer) {
    try {
      answer.run();
    } catch (RuntimeException | Error e) {
      LOG.error("A client's answer could not be written.", e);
    }
  }
}
