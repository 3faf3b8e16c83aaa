package org.understudy.thread;

import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop of a thread that must not end before its owner is closed. After an exception or an error the loop begins again. Without that, a
 * process that was short of file descriptors, threads or memory for a moment would lack the thread for good, and its other threads would
 * go on as if nothing had happened.
 */
public final class PersistentLoop implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(PersistentLoop.class);
  private static final long PAUSE_MS = 100;
  private static final long LOG_INTERVAL_NS = TimeUnit.MINUTES.toNanos(1);

  private final String what;
  private final Runnable loop;
  private long nextLog = System.nanoTime();

  /**
   * @param what names the loop in the log, for example "The link to replica 2"
   * @param loop returns when its owner is closed or its thread interrupted
   */
  public PersistentLoop(String what, Runnable loop) {
    this.what = what;
    this.loop = loop;
  }

  @Override
  public void run() {
    while (true) {
      try {
        loop.run();
        return;
      } catch (RuntimeException | Error e) {
        log(e);
      }
      try {
        Thread.sleep(PAUSE_MS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private void log(Throwable failure) {
    long now = System.nanoTime();
    if (now - nextLog < 0) {
      return;
    }
    nextLog = now + LOG_INTERVAL_NS;
    try {
      LOG.error("{} failed and begins again. Check the limits of files and threads (ulimit -n, -u) and the heap.", what, failure);
    } catch (RuntimeException | Error e) {
      // What the loop lacked, the log may lack as well. A line is not worth the thread.
    }
  }
}
