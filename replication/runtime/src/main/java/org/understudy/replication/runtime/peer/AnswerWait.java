package org.understudy.replication.runtime.peer;

import java.util.function.BooleanSupplier;

/**
 * The wait of one thread for what other replicas answer to the updates that it sends. It receives the answers itself, so that no other
 * thread has to wake it. Only the thread that has begun the wait uses this, except {@link #wakeUp}.
 */
public interface AnswerWait {
  /**
   * Blocks until something has arrived, and handles it as the channel's own threads do: that may step the replica and answer other calls.
   * Returns earlier when the condition holds or {@link #wakeUp} is called, and may return without a cause.
   *
   * @param over {@link #wakeUp} follows when it begins to hold
   * @param nanos the longest time, rounded up to milliseconds
   * @return false when no answer is expected, at once
   */
  boolean receive(BooleanSupplier over, long nanos);

  /** Ends a {@link #receive}, this one or the next. Called by any thread. */
  void wakeUp();

  /** Ends the wait. What is still expected is received by the channel's own threads. */
  void end();
}
