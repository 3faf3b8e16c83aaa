package org.understudy.container.request;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The short wait of a container thread for the outcome of what it has executed. A round to the other replicas mostly takes less. To leave
 * the exchange and be dispatched again costs more than to wait: the container would need another thread to complete the exchange, and its
 * poller to receive the client's next request. Where rounds take longer, the thread does not wait ({@link OutcomeHistory}).
 *
 * <p>For one thread that waits; any thread may {@link #end} the wait.
 */
final class OutcomeWait {
  /** Bounds for how long a thread is missing elsewhere, for example when the group has lost its majority. */
  private static final long MAX_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final long maxNanos;
  private final OutcomeHistory history;
  /** Null while none waits. */
  private volatile Thread waiting;

  OutcomeWait(OutcomeHistory history) {
    this(MAX_NANOS, history);
  }

  OutcomeWait(long maxNanos, OutcomeHistory history) {
    this.maxNanos = maxNanos;
    this.history = history;
  }

  /**
   * Blocks until the condition holds, but not for long, and not when the thread is interrupted or recent waits were in vain.
   *
   * @param over {@link #end} follows when it begins to hold; otherwise this may return late
   * @return whether it holds
   */
  boolean await(BooleanSupplier over) {
    if (over.getAsBoolean()) {
      return true;
    }
    if (!history.isWorthwhile()) {
      return false;
    }
    long begin = System.nanoTime();
    waiting = Thread.currentThread();
    try {
      while (!over.getAsBoolean()) {
        long left = maxNanos - (System.nanoTime() - begin);
        if (left <= 0) {
          history.waited(false);
          return false;
        }
        if (Thread.currentThread().isInterrupted()) {
          return false;
        }
        LockSupport.parkNanos(this, left);
      }
      history.waited(true);
      return true;
    } finally {
      waiting = null;
    }
  }

  /** Ends the wait if its condition holds now. Without effect when no thread waits. */
  void end() {
    Thread thread = waiting;
    if (thread != null) {
      LockSupport.unpark(thread);
    }
  }
}
