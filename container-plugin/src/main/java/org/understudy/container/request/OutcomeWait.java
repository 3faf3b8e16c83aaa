package org.understudy.container.request;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.understudy.replication.runtime.peer.AnswerWait;

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
  /** With which the thread receives what it waits for; null if other threads do. Written before {@link #waiting}. */
  private AnswerWait answers;

  OutcomeWait(OutcomeHistory history) {
    this(MAX_NANOS, history);
  }

  OutcomeWait(long maxNanos, OutcomeHistory history) {
    this.maxNanos = maxNanos;
    this.history = history;
  }

  /**
   * Begins to wait for an update that the calling thread is about to report.
   *
   * @param own begins the wait with which the thread receives the answers of other replicas itself; it returns null if other threads do.
   *     Not called where the thread may not wait
   */
  void begin(Supplier<AnswerWait> own) {
    leave();
    answers = history.isGood() ? own.get() : null;
  }

  /** Ends what {@link #begin} has begun. Called by the same thread; without effect otherwise. */
  void leave() {
    if (answers != null) {
      answers.end();
      answers = null;
    }
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
        if (answers == null || !answers.receive(over, left)) {
          LockSupport.parkNanos(this, left);
        }
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
    if (thread == null || thread == Thread.currentThread()) {
      return;
    }
    AnswerWait receiving = answers;
    if (receiving != null) {
      receiving.wakeUp();
    }
    LockSupport.unpark(thread);
  }
}
