package org.understudy.notification.operation;

import org.understudy.notification.subscription.EndReason;
import org.understudy.notification.subscription.Subscription;

/** Where subscriptions are kept. The operations on one subscription are not called at the same time. */
public interface SubscriptionStore {
  /** The subscription of that id; null when there is none. One whose time is up may still be there. */
  Subscription find(String id);

  /** Keeps a subscription, in place of the one with the same id. */
  void put(Subscription subscription);

  /** Forgets a subscription. */
  void remove(String id, EndReason why);

  /** How many there are, at all producers. */
  int size();

  /** The position of the last message published so far: a new subscription gets what comes after it. */
  long position();
}
