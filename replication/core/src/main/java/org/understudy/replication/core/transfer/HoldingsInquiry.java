package org.understudy.replication.core.transfer;

/** A joiner is asked what it holds: again after twice the time, because its answer may take long, and may be large. */
final class HoldingsInquiry {
  private static final int MOST_PAUSES = 16;

  private final long incarnation;
  private final long firstAt;
  private final long mostNanos;
  private long pauseNanos;
  private long dueAt;

  HoldingsInquiry(long incarnation, long now, long pauseNanos) {
    this.incarnation = incarnation;
    this.firstAt = now;
    this.dueAt = now;
    this.pauseNanos = pauseNanos;
    this.mostNanos = MOST_PAUSES * pauseNanos;
  }

  long incarnation() {
    return incarnation;
  }

  boolean isDue(long now) {
    return now - dueAt >= 0;
  }

  void sent(long now) {
    dueAt = now + pauseNanos;
    pauseNanos = Math.min(2 * pauseNanos, mostNanos);
  }

  /** The round trip of the answer that has come now, or more. */
  long roundTrip(long now) {
    return now - firstAt;
  }
}
