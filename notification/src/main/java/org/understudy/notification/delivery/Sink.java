package org.understudy.notification.delivery;

import java.time.Duration;

/** Delivers messages to consumers. Thread-safe. */
public interface Sink {
  /**
   * Starts one attempt to deliver a message. Returns at once, does not block and does not throw.
   *
   * @param delivery the message and its receiver
   * @param outcome is called exactly once with the result, by any thread, at once or later. Until then the subscription's
   *     next messages wait; the sink's own deadline is the only one
   */
  void send(Delivery delivery, Outcome outcome);

  /** Receives the result of an attempt. No method blocks. */
  interface Outcome {
    /** The consumer has the message. */
    void delivered();

    /** The consumer takes no message now. That is no failure: there is another attempt after a while, however often. */
    void postponed();

    /**
     * The consumer may not have the message.
     *
     * @param why for the log
     * @param forGood retries are pointless: the subscription ends
     * @param retryAfter the pause that the consumer requested, 0 for none
     */
    void failed(String why, boolean forGood, Duration retryAfter);

    /** The consumer may not have the message, and requested no pause. */
    default void failed(String why, boolean forGood) {
      failed(why, forGood, Duration.ZERO);
    }
  }
}
