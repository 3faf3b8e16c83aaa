package org.understudy.replication.runtime;

import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Waits for threads that were told to end: a web application that is undeployed must leave none behind. */
public final class ThreadEnd {
  private static final Logger LOG = LoggerFactory.getLogger(ThreadEnd.class);
  private static final long MOST_MS = TimeUnit.SECONDS.toMillis(5);

  private ThreadEnd() {}

  /** Waits up to 5 s for a thread that has nothing more to do; not for the caller's own. Call it without its locks. */
  public static void await(Thread thread) {
    if (thread == Thread.currentThread()) {
      return;
    }
    try {
      thread.join(MOST_MS);
      if (thread.isAlive()) {
        LOG.warn("The thread {} did not end within {} ms.", thread.getName(), MOST_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
