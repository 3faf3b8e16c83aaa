package org.understudy.notification.subscription;

/**
 * Hears of every change to the set of subscriptions, so that it can be replicated or watched. Called by whichever thread
 * made the change, in order for one subscription: it must not block. What it throws is logged and dropped.
 */
public interface SubscriptionListener {
  /** A subscription was made. */
  default void created(Subscription subscription) {}

  /** A subscription was renewed, paused or resumed. */
  default void changed(Subscription subscription) {}

  /** A subscription is over. */
  default void ended(Subscription subscription, EndReason reason) {}
}
