package org.understudy.notification.delivery;

import java.time.Duration;

/** Takes messages for consumers. Thread-safe. */
public interface Sink {
  /**
   * Starts one attempt to deliver a message. Returns at once, does not block and does not throw.
   *
   * @param delivery the message, and for whom
   * @param outcome is called exactly once with the result, by any thread, at once or later. Until then the subscription's
   *     next messages wait; the sink's own deadline is the only one
   */
  void send(Delivery delivery, Outcome outcome);

  /** Takes what came of an attempt. No method blocks. */
  interface Outcome {
    /** The consumer has the message. */
    void delivered();

    /**
     * The consumer may not have it.
     *
     * @param why for the log
     * @param forGood no further attempt makes sense: the subscription ends
     * @param retryAfter how long the consumer requested a pause, 0 when it did not
     */
    void failed(String why, boolean forGood, Duration retryAfter);

    /** The consumer may not have it, and named no time for the retry. */
    default void failed(String why, boolean forGood) {
      failed(why, forGood, Duration.ZERO);
    }
  }
}
