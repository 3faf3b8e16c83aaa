package org.understudy.container.request;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.request.Failure;
import org.understudy.thread.DaemonThreads;
import org.understudy.thread.RepeatedTask;
import org.understudy.thread.Threads;

/**
 * Detects executions that exceed their time limit and sends StillPending to their clients. The execution continues and its
 * outcome is stored, because a thread cannot be stopped. Its resource stays locked until it ends.
 */
public final class ExecutionWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ExecutionWatch.class);
  /** The number of timeouts of suspensions that code of the service may block at a time. */
  private static final int MAX_LISTENERS = 64;
  /** The number of clients that may be slow to take StillPending at a time. */
  private static final int MAX_WRITERS = 32;

  private final Set<Running> running = ConcurrentHashMap.newKeySet();
  private final long limitNanos;
  private final Supplier<String> hindrance;
  private final ScheduledThreadPoolExecutor clock;
  /** Runs code of the service, which may block. */
  private final ThreadPoolExecutor listeners;
  /** Sends responses, which may block on clients. */
  private final ThreadPoolExecutor writers;

  /**
   * @param limit of one execution
   * @param hindrance returns what keeps executions from ending now, a sentence; null for nothing that is known
   */
  public ExecutionWatch(Duration limit, Supplier<String> hindrance) {
    this.limitNanos = limit.toNanos();
    this.hindrance = hindrance;
    this.clock = new ScheduledThreadPoolExecutor(1, new DaemonThreads("understudy-execution-watch-"));
    clock.setRemoveOnCancelPolicy(true);
    this.listeners = threads(MAX_LISTENERS, "understudy-asynchronous-listener-");
    this.writers = threads(MAX_WRITERS, "understudy-pending-answer-");
    long interval = Math.max(TimeUnit.MILLISECONDS.toNanos(10), Math.min(limitNanos / 4, TimeUnit.SECONDS.toNanos(1)));
    clock.scheduleWithFixedDelay(
        new RepeatedTask("The watch over executions that take too long", this::reportOverdue), interval, interval, TimeUnit.NANOSECONDS);
  }

  private static ThreadPoolExecutor threads(int max, String name) {
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(max, max, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), new DaemonThreads(name));
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  /** One execution in progress. Compared by identity. */
  final class Running {
    private final Exchange exchange;
    private final String resource;
    /** The thread that executes; null while the execution is suspended. */
    private volatile Thread thread = Thread.currentThread();
    private final long since = System.nanoTime();

    private Running(Exchange exchange, String resource) {
      this.exchange = exchange;
      this.resource = resource;
    }

    /** Marks the execution as suspended: it waits without a thread. */
    void suspended() {
      thread = null;
    }

    /** Marks the execution as resumed by the calling thread. */
    void resumed() {
      thread = Thread.currentThread();
    }

    /** Ends the watch over this execution. */
    void end() {
      running.remove(this);
    }
  }

  /**
   * Begins the watch over an execution on the calling thread.
   *
   * @param resource the key of its resource, or null
   */
  Running begin(Exchange exchange, String resource) {
    Running one = new Running(exchange, resource);
    running.add(one);
    return one;
  }

  /**
   * Schedules a task, which must not block or throw. It is dropped if this is closed before.
   *
   * @throws RejectedExecutionException when this is closed
   */
  Future<?> after(long ms, Runnable task) {
    return clock.schedule(task, ms, TimeUnit.MILLISECONDS);
  }

  /**
   * Schedules a task that calls code of the service, which may block. It runs on a thread that nothing else needs; when all of
   * these are blocked, it waits. It is dropped if this is closed before.
   *
   * @throws RejectedExecutionException when this is closed
   */
  Future<?> callAfter(long ms, Runnable task) {
    return after(ms, () -> listeners.execute(task));
  }

  private void reportOverdue() {
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
                + "it ends. {}",
            one.exchange.envelope.operation(), one.resource, ms, thread.getName(), advice());
      }
      writers.execute(() -> answer(one.exchange, ms));
    } catch (RejectedExecutionException e) {
      LOG.debug("The web application is stopping.", e);
    }
  }

  private String advice() {
    String known = hindrance.get();
    return known == null ? "Take a thread dump; if it never ends, restart this replica." : known + " It ends when that ends.";
  }

  private static void answer(Exchange exchange, long ms) {
    try {
      exchange.answerPending(
          new Failure(
              FailureCode.StillPending,
              "The service has executed the request for " + ms + " ms and has not finished. " + Failure.RETRY_WITH_ID));
    } catch (RuntimeException e) {
      LOG.error("The client of an overlong execution could not be sent its response.", e);
    }
  }

  @Override
  public void close() {
    clock.shutdownNow();
    listeners.shutdownNow();
    writers.shutdownNow();
    Threads.join("The watch over executions", clock);
    Threads.join("The listeners to the end of executions", listeners);
    Threads.join("The writers of late responses", writers);
  }
}
