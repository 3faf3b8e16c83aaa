package org.understudy.test;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition instead of sleeping. */
public final class Condition {
  private static final long MAX_SECONDS = 60;
  private static final long PAUSE_NANOS = 500_000;

  private Condition() {}

  /**
   * Waits until the condition holds. The timeout is generous, so only a defect reaches it.
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
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MAX_SECONDS);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("Waited " + MAX_SECONDS + " s for " + what + ".");
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }
}
