package org.understudy.notification.operation;

import org.understudy.notification.subscription.EndReason;
import org.understudy.notification.subscription.Subscription;

/** Stores subscriptions. Operations on one subscription are never concurrent. */
public interface SubscriptionStore {
  /** The subscription with this id; null for none. Can return an expired one. */
  Subscription find(String id);

  /** Stores a subscription, replacing the one with the same id. */
  void put(Subscription subscription);

  /** Removes a subscription. */
  void remove(String id, EndReason why);

  /** The number of subscriptions, at all producers. */
  int size();

  /** The position of the last published message: a new subscription gets later ones. */
  long position();
}
