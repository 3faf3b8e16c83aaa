package org.understudy.notification.delivery;

import java.util.concurrent.atomic.LongAdder;

/** Counts delivery results since the start. Thread-safe. */
public final class DeliveryCounters {
  private final LongAdder delivered = new LongAdder();
  private final LongAdder failedAttempts = new LongAdder();
  private final LongAdder overflows = new LongAdder();
  private final LongAdder undeliverable = new LongAdder();
  private final LongAdder unjudged = new LongAdder();

  void countDelivered() {
    delivered.increment();
  }

  void countFailedAttempt() {
    failedAttempts.increment();
  }

  void countOverflow() {
    overflows.increment();
  }

  void countUndeliverable() {
    undeliverable.increment();
  }

  void countFilterFailure() {
    unjudged.increment();
  }

  /** Messages that a consumer answered with a 2xx status; one message to two consumers counts twice. */
  public long delivered() {
    return delivered.sum();
  }

  /** Attempts that ended in an error, a timeout or another status. */
  public long failedAttempts() {
    return failedAttempts.sum();
  }

  /** Subscriptions that ended because their queue was full. */
  public long overflows() {
    return overflows.sum();
  }

  /** Subscriptions that ended because all attempts to deliver a message failed. */
  public long undeliverable() {
    return undeliverable.sum();
  }

  /** Messages that were not sent because a filter failed, for each subscription. */
  public long unjudged() {
    return unjudged.sum();
  }
}
