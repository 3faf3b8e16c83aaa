package org.understudy.lab.attack;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The end of one attack, on the monotonic clock. */
record Deadline(long nanos) {
  static Deadline in(Duration duration) {
    return new Deadline(System.nanoTime() + duration.toNanos());
  }

  boolean passed() {
    return remainingNanos() <= 0;
  }

  long remainingNanos() {
    return nanos - System.nanoTime();
  }

  /** Waits so long, or until the deadline. */
  void pause(Duration duration) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(Math.max(0, Math.min(duration.toNanos(), remainingNanos())));
  }
}
