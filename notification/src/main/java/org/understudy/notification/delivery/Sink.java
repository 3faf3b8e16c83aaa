package org.understudy.notification.delivery;

import java.time.Duration;

/** Takes messages for consumers. Thread-safe. */
public interface Sink {
  /**
   * Starts one attempt to deliver a message. Returns at once, does not block and does not throw.
   *
   * @param delivery the message, and for whom
   * @param outcome is told exactly once what came of it, by any thread, at once or later. Until then the subscription's
   *     next messages wait; there is no other deadline than the sink's own
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
     * @param retryAfter how long the consumer asked to be left alone, 0 when it did not ask
     */
    void failed(String why, boolean forGood, Duration retryAfter);

    /** The consumer may not have it, and did not say when to try again. */
    default void failed(String why, boolean forGood) {
      failed(why, forGood, Duration.ZERO);
    }
  }
}
