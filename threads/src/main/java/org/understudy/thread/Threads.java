package org.understudy.thread;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Waits for threads to end, because an undeployed web application must not leave threads behind. */
public final class Threads {
  private static final Logger LOG = LoggerFactory.getLogger(Threads.class);
  private static final long MAX_MS = TimeUnit.SECONDS.toMillis(5);

  private Threads() {}

  /**
   * Waits up to 5 s for a thread that has been stopped or interrupted. Returns at once for the caller's own thread. Do not hold a lock
   * that the thread needs.
   */
  public static void join(Thread thread) {
    if (thread == Thread.currentThread()) {
      return;
    }
    try {
      thread.join(MAX_MS);
      if (thread.isAlive()) {
        LOG.warn("The thread {} did not end within {} ms.", thread.getName(), MAX_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * The same for the threads of an executor that has been shut down. Not for one of its own threads.
   *
   * @param what names the executor in the log, for example "The clock of held polls"
   */
  public static void join(String what, ExecutorService executor) {
    try {
      if (!executor.awaitTermination(MAX_MS, TimeUnit.MILLISECONDS)) {
        LOG.warn("{} did not end within {} ms.", what, MAX_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
