package org.understudy.container.service;

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/** How a test follows and continues the updates of a {@link SlowLedger}. */
public final class SlowUpdates {
  /** Updates that have changed the entries and wait. */
  public static final Semaphore CHANGED = new Semaphore(0);

  public static final Semaphore RELEASED = new Semaphore(0);

  /** Service objects that were made by the constructor. */
  public static final AtomicInteger CONSTRUCTED = new AtomicInteger();

  private SlowUpdates() {}

  /** Forgets the updates of an earlier test. */
  public static void reset() {
    CHANGED.drainPermits();
    RELEASED.drainPermits();
    CONSTRUCTED.set(0);
  }
}
