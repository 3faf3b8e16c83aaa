package org.understudy.wsrf.resource;

import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;

/**
 * A transaction that waits for its resource's lock: at first on the thread that requested it, then, if that takes long, without a
 * thread. Thread-safe, but {@link #await} belongs to the thread that made the request.
 */
public final class LockRequest {
  private final ResourceTransaction transaction;
  private final Thread thread = Thread.currentThread();
  private volatile boolean granted;
  /** Guarded by this. */
  private Runnable next;

  LockRequest(ResourceTransaction transaction) {
    this(transaction, null);
  }

  /** @param priority null: before all requests that have one */
  LockRequest(ResourceTransaction transaction, IntSupplier priority) {
    this.transaction = transaction;
    if (transaction.request(priority, this::grant)) {
      granted = true;
    }
  }

  private void grant() {
    Runnable go;
    synchronized (this) {
      granted = true;
      go = next;
    }
    if (go == null) {
      LockSupport.unpark(thread);
    } else {
      go.run();
    }
  }

  /** The transaction; it begins when the lock is granted. */
  public ResourceTransaction transaction() {
    return transaction;
  }

  /** Blocks until the lock is granted. Returns false when the time is up or the thread is interrupted. */
  public boolean await(long nanos) {
    long end = System.nanoTime() + nanos;
    for (long left = nanos; !granted; left = end - System.nanoTime()) {
      if (left <= 0 || thread.isInterrupted()) {
        return false;
      }
      LockSupport.parkNanos(this, left);
    }
    return true;
  }

  /**
   * Goes on waiting without a thread.
   *
   * @param granted runs when the lock is granted, on the thread that releases it; must not block
   * @return false when the lock is granted already; then {@code granted} never runs
   */
  public synchronized boolean awaitLater(Runnable granted) {
    if (!this.granted) {
      next = granted;
    }
    return !this.granted;
  }
}
