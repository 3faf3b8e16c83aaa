package org.understudy.lab.torture.network;

import java.util.Random;

/**
 * When the next bytes of one direction of a TCP stream are passed on: their order stays, whatever the delay and jitter. Used by one
 * thread, but for {@link #set}.
 */
final class DelayLine {
  private final Random random;
  private volatile long delayNanos;
  private volatile long jitterNanos;
  private long last = Long.MIN_VALUE;

  /** @param seed of the jitter */
  DelayLine(long seed) {
    random = new Random(seed);
  }

  /**
   * Delays from now on.
   *
   * @param jitterMillis up to so much is added
   */
  void set(int delayMillis, int jitterMillis) {
    delayNanos = delayMillis * 1_000_000L;
    jitterNanos = jitterMillis * 1_000_000L;
  }

  /** The time at which bytes that arrive now are passed on: not before bytes that arrived earlier. */
  long due(long now) {
    long due = now + delayNanos + (jitterNanos == 0 ? 0 : (long) (random.nextDouble() * jitterNanos));
    last = Math.max(last, due);
    return last;
  }
}
