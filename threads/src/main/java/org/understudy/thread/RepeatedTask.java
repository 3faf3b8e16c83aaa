package org.understudy.thread;

import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task that a timer continues to run after an exception or an error: a shortage of memory, or of file descriptors, by which classes
 * are loaded, can pass. An executor alone would swallow the exception and cancel the task. Logs at
 * most one exception a minute. Only one thread at a time may run it.
 */
public final class RepeatedTask implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(RepeatedTask.class);
  private static final long LOG_INTERVAL_NS = TimeUnit.MINUTES.toNanos(1);

  private final String what;
  private final Runnable task;
  private boolean logged;
  private long loggedAt;

  /** @param what names the task in the log, for example "Closing of silent links" */
  public RepeatedTask(String what, Runnable task) {
    this.what = what;
    this.task = task;
  }

  @Override
  public void run() {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      long now = System.nanoTime();
      if (!logged || now - loggedAt > LOG_INTERVAL_NS) {
        logged = true;
        loggedAt = now;
        log(e);
      }
    }
  }

  private void log(Throwable failure) {
    try {
      LOG.error("{} failed and is retried at its next run. Report it if it repeats.", what, failure);
    } catch (RuntimeException | Error e) {
      // What the task lacked, the log may lack as well. A line is not worth the task.
    }
  }
}
