package org.understudy.container.request;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Whether outcomes at one replica arrived lately while a thread waited for them ({@link OutcomeWait}). Where they seldom do, because of
 * journals or a long link, a thread does not wait, but for one in a while that finds out whether that has changed. Thread-safe, without a
 * lock: when two threads report at once, one report may be lost.
 */
public final class OutcomeHistory {
  private static final int ALL = 1 << 16;
  /** A wait that is in vain costs less than the suspension that a successful one saves. */
  private static final int WORTHWHILE = ALL / 4;
  /** The last report counts one in so many. */
  private static final int WEIGHT = 16;
  /** One in so many waits when it is not worthwhile. */
  static final int RETRY = 64;

  /** The share of waits that ended in time, of {@value #ALL}, the last ones weighted most. */
  private volatile int inTime = ALL;
  private final AtomicInteger avoided = new AtomicInteger();

  /** Whether outcomes mostly arrive in time. */
  boolean isGood() {
    return inTime >= WORTHWHILE;
  }

  /** Whether the calling thread should wait. It reports the end of its wait then. */
  boolean isWorthwhile() {
    return isGood() || avoided.incrementAndGet() % RETRY == 0;
  }

  /** Reports the end of a wait. */
  void waited(boolean success) {
    int before = inTime;
    int after = before + ((success ? ALL : 0) - before) / WEIGHT;
    if (after != before) {
      inTime = after;
    }
  }
}
