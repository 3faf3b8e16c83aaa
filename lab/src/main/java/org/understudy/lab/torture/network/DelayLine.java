package org.understudy.lab.torture.network;

import java.util.Random;

/**
 * When the next bytes of one direction of a TCP stream are passed on: their order stays, whatever the delay and jitter. Used by one
 * thread.
 */
final class DelayLine {
  private static final double NANOS_IN_MILLI = 1e6;
  /** One over the exponent of Pareto's distribution. */
  private static final double TAIL = 0.5;
  /** The longest delay of a tail, in jitters. */
  private static final double LONGEST_TAIL = 8;

  private final Random random;
  private long last = Long.MIN_VALUE;

  /** @param seed of the jitter */
  DelayLine(long seed) {
    random = new Random(seed);
  }

  /**
   * The time at which bytes are passed on: not before bytes that arrived earlier.
   *
   * @param left when the link has taken them
   */
  long due(long left, LinkQuality quality) {
    long jitter = quality.jitterMillis() == 0 ? 0 : (long) (jitters(quality.heavyTail()) * quality.jitterMillis() * NANOS_IN_MILLI);
    long due = left + (long) (quality.delayMillis() * NANOS_IN_MILLI) + jitter;
    last = Math.max(last, due);
    return last;
  }

  private double jitters(boolean heavyTail) {
    double even = random.nextDouble();
    return heavyTail ? Math.min(LONGEST_TAIL, Math.pow(1 - even, -TAIL) - 1) : even;
  }
}
