package org.understudy.test;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for a condition instead of sleeping. */
public final class Condition {
  private static final long MAX_SECONDS = 60;
  private static final long MIN_PAUSE_NANOS = 500_000;
  private static final long MAX_PAUSE_NANOS = 10_000_000;
  /** The part of the time waited so far that the next pause takes. */
  private static final int PART = 16;

  private Condition() {}

  /**
   * Waits until the condition holds. The timeout is generous, so only a defect reaches it. The condition is checked at least each
   * 10 ms, and the less often the longer it takes: many conditions ask a server, which would take the processor from the others.
   *
   * @throws AssertionError when the condition does not hold in time
   */
  public static void await(BooleanSupplier condition) {
    await("the condition", condition);
  }

  /**
   * Like {@link #await(BooleanSupplier)}, with a description.
   *
   * @param what the test waits for, as the end of the sentence "Waited for …"
   */
  public static void await(String what, BooleanSupplier condition) {
    await(() -> what, condition);
  }

  /** As {@link #await(String, BooleanSupplier)}, with a description of what is missing when the time is over. */
  public static void await(Supplier<String> what, BooleanSupplier condition) {
    long begin = System.nanoTime();
    while (!condition.getAsBoolean()) {
      long waited = System.nanoTime() - begin;
      if (waited > TimeUnit.SECONDS.toNanos(MAX_SECONDS)) {
        throw new AssertionError("Waited " + MAX_SECONDS + " s for " + what.get() + ". What the threads did: " + ThreadDump.write());
      }
      LockSupport.parkNanos(Math.max(MIN_PAUSE_NANOS, Math.min(MAX_PAUSE_NANOS, waited / PART)));
    }
  }
}
