package org.understudy.outbox;

import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.thread.DaemonThreads;

/** The one thread of an outbox, which begins with its first task. Thread-safe. */
final class OutboxThread implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxThread.class);

  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(new DaemonThreads("understudy-outbox-"));

  /** For the deadlines of connections. */
  ScheduledExecutorService timer() {
    return thread;
  }

  /** Runs a task soon, after those that wait. What it throws is logged. */
  void execute(Runnable task) {
    later(task, 0);
  }

  /** The same, not before so many milliseconds have passed. */
  void later(Runnable task, long ms) {
    try {
      thread.schedule(
          () -> {
            try {
              task.run();
            } catch (RuntimeException | OutOfMemoryError e) {
              // An executor would keep it to itself. The next look tries again what is still to be done.
              LOG.error("A step of the outbox failed. An outgoing call may be late.", e);
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
    try {
      if (!thread.awaitTermination(5, TimeUnit.SECONDS)) {
        LOG.warn("The thread that sends outgoing calls did not end within 5 s.");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
