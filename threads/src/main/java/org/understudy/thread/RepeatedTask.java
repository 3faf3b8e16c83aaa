package org.understudy.thread;

import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task that a timer runs again after it has thrown. An executor would keep the exception to itself and never run the task
 * again. Logs one exception a minute. Run by one thread at a time.
 */
public final class RepeatedTask implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(RepeatedTask.class);
  private static final long LOG_INTERVAL_NS = TimeUnit.MINUTES.toNanos(1);

  private final String what;
  private final Runnable task;
  private boolean logged;
  private long loggedAt;

  /** @param what is done, for the log: "Closing of silent links" */
  public RepeatedTask(String what, Runnable task) {
    this.what = what;
    this.task = task;
  }

  @Override
  public void run() {
    try {
      task.run();
    } catch (RuntimeException | OutOfMemoryError e) {
      long now = System.nanoTime();
      if (!logged || now - loggedAt > LOG_INTERVAL_NS) {
        logged = true;
        loggedAt = now;
        LOG.error("{} failed and is retried at its next turn. Report it if it repeats.", what, e);
      }
    }
  }
}
