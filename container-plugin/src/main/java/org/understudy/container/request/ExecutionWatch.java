package org.understudy.container.request;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.Failure;
import org.understudy.thread.DaemonThreads;
import org.understudy.thread.RepeatedTask;

/**
 * Finds service methods that run for longer than they may. Their clients are answered as still pending; the execution goes
 * on, and what it ends in is stored as ever: a thread cannot be stopped, and its resource stays locked while it runs.
 */
public final class ExecutionWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ExecutionWatch.class);

  private final Set<Running> running = ConcurrentHashMap.newKeySet();
  private final long limitNanos;
  private final ScheduledThreadPoolExecutor clock;

  /** @param limit of one execution */
  public ExecutionWatch(Duration limit) {
    this.limitNanos = limit.toNanos();
    this.clock = new ScheduledThreadPoolExecutor(1, new DaemonThreads("understudy-execution-watch-"));
    clock.setRemoveOnCancelPolicy(true);
    long interval = Math.max(TimeUnit.MILLISECONDS.toNanos(10), Math.min(limitNanos / 4, TimeUnit.SECONDS.toNanos(1)));
    clock.scheduleWithFixedDelay(
        new RepeatedTask("The watch over executions that take too long", this::look), interval, interval, TimeUnit.NANOSECONDS);
  }

  /** One execution. Compared by identity. */
  final class Running {
    private final Exchange exchange;
    private final String resource;
    /** Null while the execution waits without one. */
    private volatile Thread thread = Thread.currentThread();
    private final long since = System.nanoTime();

    private Running(Exchange exchange, String resource) {
      this.exchange = exchange;
      this.resource = resource;
    }

    /** The execution waits without a thread. */
    void suspended() {
      thread = null;
    }

    /** The calling thread goes on with the execution. */
    void resumed() {
      thread = Thread.currentThread();
    }

    /** The execution has ended. */
    void end() {
      running.remove(this);
    }
  }

  /**
   * The calling thread begins an execution.
   *
   * @param resource the key of its resource, or null
   */
  Running begin(Exchange exchange, String resource) {
    Running one = new Running(exchange, resource);
    running.add(one);
    return one;
  }

  /**
   * Runs something later, unless this is closed before. It must not block or throw.
   *
   * @throws RejectedExecutionException when this is closed
   */
  Future<?> after(long ms, Runnable task) {
    return clock.schedule(task, ms, TimeUnit.MILLISECONDS);
  }

  private void look() {
    long now = System.nanoTime();
    for (Running one : Set.copyOf(running)) {
      if (now - one.since > limitNanos && running.remove(one)) {
        report(one, now);
      }
    }
  }

  private void report(Running one, long now) {
    try {
      long ms = TimeUnit.NANOSECONDS.toMillis(now - one.since);
      Thread thread = one.thread;
      if (thread == null) {
        LOG.warn(
            "The execution of {} on resource {} began {} ms ago and is suspended by the service. Requests for the resource are "
                + "rejected until the service resumes it. If the service never does, restart this replica.",
            one.exchange.envelope.operation(), one.resource, ms);
      } else {
        LOG.warn(
            "The execution of {} on resource {} has run for {} ms in the thread {}. Requests for the resource are rejected until "
                + "it ends. Take a thread dump; if it never ends, restart this replica.",
            one.exchange.envelope.operation(), one.resource, ms, thread.getName());
      }
      one.exchange.overdue(
          new Failure(
              FailureCode.StillPending,
              "The service has executed the request for " + ms + " ms and has not finished; ask again with the same request id."));
    } catch (RuntimeException e) {
      LOG.error("The client of an overlong execution could not be sent its response.", e);
    }
  }

  @Override
  public void close() {
    clock.shutdownNow();
    try {
      clock.awaitTermination(5, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
