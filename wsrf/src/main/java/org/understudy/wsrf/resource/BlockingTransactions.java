package org.understudy.wsrf.resource;

import java.util.concurrent.TimeUnit;

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
    ResourceTransaction transaction = resources.transaction(id, read);
    LockRequest lock = new LockRequest(transaction);
    if (!lock.await(transaction.mayWait() ? patienceNanos : 0) && transaction.withdraw()) {
      if (Thread.currentThread().isInterrupted()) {
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
    ResourceTransaction transaction = resources.transaction(id, false);
    return new LockRequest(transaction).await(nanos) || !transaction.withdraw() ? begun(transaction) : null;
  }

  /**
   * Runs a task while no operation uses the object of a service that keeps its state in itself. Changes no state.
   *
   * @return false when an operation has not ended in time, so that the task has not run
   */
  public static boolean runAlone(Resources resources, long nanos, Runnable task) {
    ResourceTransaction transaction = tryBegin(resources, Resources.SERVICE, nanos);
    if (transaction == null) {
      return false;
    }
    try {
      task.run();
      return true;
    } finally {
      transaction.release();
    }
  }

  static ResourceTransaction begun(ResourceTransaction transaction) {
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
}
