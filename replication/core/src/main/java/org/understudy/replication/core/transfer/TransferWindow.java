package org.understudy.replication.core.transfer;

/**
 * How many bytes of parts may be on their way to a joiner, and when a part without acknowledgement is repeated. The window grows while
 * parts do not wait for each other on the link, as their round trips show (after TCP Vegas, Brakmo and Peterson 1995, section 4, and
 * LEDBAT, RFC 6817), so a link of any length is used, and what else the link carries waits little. The times of repetition are those of
 * RFC 6298: parts are lost only with a connection.
 */
final class TransferWindow {
  /** The least window, and the first: one part travels while the one before is acknowledged. */
  private static final int LEAST_PARTS = 2;
  /** Until the window was too large for the first time, it is adapted after the round trips of as many parts. */
  private static final int PARTS_AT_FIRST = 3;
  private static final long MOST_BYTES = 4 << 20;
  private static final long MOST_WAIT_NANOS = 200_000_000L;
  /** Repetitions without an acknowledgement after which a transfer has ended. */
  private static final int MOST_REPETITIONS = 4;

  private final int partBytes;
  private final long leastWaitNanos;
  private final long leastRepeatNanos;
  private long limit;
  private long onTheirWay;
  /** Until the window was too large for the first time, it grows by half of itself in a round trip. */
  private boolean fast = true;

  /** The shortest round trip of a part; {@link Long#MAX_VALUE} before the first. */
  private long shortest = Long.MAX_VALUE;
  /** When the window was adapted last: earlier parts show nothing about it. */
  private long adaptedAt = Long.MIN_VALUE;
  /** The shortest one of the parts since then, without the first part, which may have found an empty link before the others. */
  private long shortestNow = Long.MAX_VALUE;
  private boolean first = true;
  /** The bytes of later parts that arrive until it is adapted again. */
  private long remaining;

  private long smoothed;
  private long variation;
  private long unmeasuredNanos;
  /** Repetitions since a round trip was measured, or the first part sent. */
  private int backoff;
  /** Repetitions since the last acknowledgement. */
  private int inVain;

  /**
   * @param partBytes the usual size of a part
   * @param leastWaitNanos for which parts may always wait for each other: a heartbeat interval, so that a busy processor does not look like
   *     a thin link
   * @param unmeasuredNanos after which a part is repeated, at the earliest, while no round trip was measured
   */
  TransferWindow(int partBytes, long leastWaitNanos, long unmeasuredNanos) {
    this.partBytes = partBytes;
    this.leastWaitNanos = leastWaitNanos;
    this.leastRepeatNanos = 2 * leastWaitNanos;
    this.unmeasuredNanos = unmeasuredNanos;
    this.limit = (long) LEAST_PARTS * partBytes;
    this.remaining = period();
  }

  /** Whether another part may be sent: one always may when none is on its way. */
  boolean hasRoom() {
    return onTheirWay == 0 || onTheirWay + partBytes / 2 <= limit;
  }

  void sent(long bytes) {
    onTheirWay += bytes;
  }

  /** A message without content took this round trip, or less; a part takes longer. */
  void estimated(long roundTrip) {
    unmeasuredNanos = Math.max(unmeasuredNanos, Math.min(4 * roundTrip, 4 * unmeasuredNanos));
  }

  /**
   * A part has arrived, which was sent once, or several times: then its round trip is unknown.
   *
   * @param sentAt when it was sent last
   */
  void acknowledged(long now, long bytes, long sentAt, boolean once) {
    onTheirWay -= bytes;
    inVain = 0;
    if (once) {
      backoff = 0;
      measure(now - sentAt);
    }
    if (once && sentAt >= adaptedAt) {
      shortestNow = first ? shortestNow : Math.min(shortestNow, now - sentAt);
      first = false;
      remaining -= bytes;
      if (remaining <= 0 && shortestNow != Long.MAX_VALUE) {
        adapt();
        begin(now);
      }
    }
  }

  private void begin(long now) {
    adaptedAt = now;
    remaining = period();
    shortestNow = Long.MAX_VALUE;
    first = true;
  }

  private long period() {
    return fast ? (long) PARTS_AT_FIRST * partBytes : limit;
  }

  private void measure(long roundTrip) {
    shortest = Math.min(shortest, roundTrip);
    if (smoothed == 0) {
      smoothed = roundTrip;
      variation = roundTrip / 2;
    } else {
      variation += (Math.abs(roundTrip - smoothed) - variation) / 4;
      smoothed += (roundTrip - smoothed) / 8;
    }
  }

  /** A single late acknowledgement shows no queue, so the shortest of several round trips counts. */
  private void adapt() {
    long permitted = Math.max(leastWaitNanos, Math.min(shortest / 2, MOST_WAIT_NANOS));
    if (shortestNow - shortest > permitted) {
      limit -= fast ? limit / 3 : limit / 4;
      fast = false;
    } else {
      limit += fast ? limit / 2 : Math.max(partBytes, limit / 8);
    }
    limit = Math.max((long) LEAST_PARTS * partBytes, Math.min(limit, MOST_BYTES));
  }

  /** All that is on its way counts as lost, and is sent again in a small window. */
  void lost(long now) {
    onTheirWay = 0;
    backoff++;
    inVain++;
    fast = false;
    limit = Math.max((long) LEAST_PARTS * partBytes, limit / 2);
    begin(now);
  }

  /** After this time without an acknowledgement, what is on its way is repeated: later each time. */
  long repeatNanos() {
    long once = smoothed == 0 ? unmeasuredNanos : Math.max(leastRepeatNanos, smoothed + 4 * variation);
    return once << Math.min(backoff, MOST_REPETITIONS);
  }

  /** Whether it was repeated in vain so often that the joiner has probably dropped what it had. */
  boolean isExhausted() {
    return inVain >= MOST_REPETITIONS;
  }
}
