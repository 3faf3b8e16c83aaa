package org.understudy.wsrf.resource;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Begins transactions on the calling thread, which blocks until the resource's lock is granted or its time is up. */
public final class BlockingTransactions {
  private BlockingTransactions() {}

  /**
   * Begins a transaction. Does not wait for a lock that an earlier request failed to get in time.
   *
   * @param id null when the request names no resource
   * @throws OccupiedResourceException when the lock is not granted in time
   */
  static ResourceTransaction begin(Resources resources, String id, boolean read, long patienceNanos) {
    Waiter waiter = new Waiter();
    ResourceTransaction transaction = resources.transaction(id, read);
    if (!transaction.request(waiter) && !waiter.await(transaction.mayWait() ? patienceNanos : 0) && transaction.withdraw()) {
      if (waiter.thread.isInterrupted()) {
        throw new OccupiedResourceException(
            "The wait for the resource " + id + " was interrupted; nothing was executed.");
      }
      throw transaction.occupied(TimeUnit.NANOSECONDS.toMillis(patienceNanos));
    }
    return begun(transaction);
  }

  /**
   * Begins an update; returns null when the lock is not granted in time or the thread is interrupted.
   *
   * @param id null for a transaction without a resource
   */
  public static ResourceTransaction tryBegin(Resources resources, String id, long nanos) {
    Waiter waiter = new Waiter();
    ResourceTransaction transaction = resources.transaction(id, false);
    return transaction.request(waiter) || waiter.await(nanos) || !transaction.withdraw() ? begun(transaction) : null;
  }

  private static ResourceTransaction begun(ResourceTransaction transaction) {
    boolean begun = false;
    try {
      transaction.begin();
      begun = true;
      return transaction;
    } finally {
      if (!begun) {
        transaction.release();
      }
    }
  }

  /** Parks a thread until the lock is granted. */
  private static final class Waiter implements Runnable {
    private final Thread thread = Thread.currentThread();
    private volatile boolean granted;

    @Override
    public void run() {
      granted = true;
      LockSupport.unpark(thread);
    }

    /** Returns false when the time is up or the thread is interrupted. */
    private boolean await(long nanos) {
      long end = System.nanoTime() + nanos;
      for (long left = nanos; !granted; left = end - System.nanoTime()) {
        if (left <= 0 || thread.isInterrupted()) {
          return false;
        }
        LockSupport.parkNanos(this, left);
      }
      return true;
    }
  }
}
