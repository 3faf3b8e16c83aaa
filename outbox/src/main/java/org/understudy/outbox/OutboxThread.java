package org.understudy.outbox;

import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.thread.DaemonThreads;
import org.understudy.thread.Threads;

/** The single thread of an outbox. It starts with the first task. Thread-safe. */
final class OutboxThread implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxThread.class);

  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(new DaemonThreads("understudy-outbox-"));

  /** The timer for the deadlines of connections. */
  ScheduledExecutorService timer() {
    return thread;
  }

  /** Queues a task. An exception of the task is logged. */
  void execute(Runnable task) {
    later(task, 0);
  }

  /** Queues a step for one call. If it throws, the call is retried, and other calls are not affected. */
  void execute(CallTable.Task task, Runnable step) {
    execute(() -> attempt(task, step));
  }

  /** Runs a step for one call. If it throws, the call is retried, and other calls are not affected. */
  static void attempt(CallTable.Task task, Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      if (task.isCurrent()) {
        // The call may have been sent.
        task.markUncertain();
        task.failed(System.nanoTime(), false, 0);
      }
      LOG.error("The call {} to {} could not be processed and is retried.", task.id(), task.destination(), e);
    }
  }

  /** Runs a task after a delay in milliseconds. An exception of the task is logged. */
  void later(Runnable task, long ms) {
    try {
      thread.schedule(
          () -> {
            try {
              task.run();
            } catch (RuntimeException | Error e) {
              // The executor would swallow it. The next pass retries what is due.
              LOG.error("A step of the outbox failed and is retried. Outgoing calls may be late. Report it if it repeats.", e);
            }
          },
          ms, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("Closed: outgoing calls are no longer sent.", e);
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
    Threads.join("The thread that sends outgoing calls", thread);
  }
}
