package org.understudy.client.invocation;

import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** The pause before the next attempt when no new view names a replica: 2 ms, doubling up to 100 ms, jittered. */
public final class Backoff {
  private static final long FIRST = TimeUnit.MILLISECONDS.toNanos(2);
  private static final long LONGEST = TimeUnit.MILLISECONDS.toNanos(100);
  private final RandomGenerator jitter;

  /** @param jitter the source of jitter; need not be thread-safe */
  public Backoff(RandomGenerator jitter) {
    this.jitter = jitter;
  }

  /**
   * @param count the number of earlier pauses of this message
   * @return nanoseconds, between half of the pause and all of it
   */
  long after(int count) {
    long whole = Math.min(LONGEST, FIRST << Math.min(count, 10));
    synchronized (jitter) {
      return whole / 2 + (long) (jitter.nextDouble() * (whole / 2.0));
    }
  }
}
