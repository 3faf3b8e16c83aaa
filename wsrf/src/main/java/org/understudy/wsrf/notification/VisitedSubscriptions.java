package org.understudy.wsrf.notification;

import java.util.Optional;
import org.understudy.notification.operation.SubscriptionStore;
import org.understudy.notification.subscription.EndReason;
import org.understudy.notification.subscription.Subscription;
import org.understudy.notification.subscription.SubscriptionCodec;
import org.understudy.wsrf.resource.TerminationTime;
import org.understudy.wsrf.resource.Visit;

/** The subscriptions as one operation sees and changes them. Belongs to the visit. */
final class VisitedSubscriptions implements SubscriptionStore {
  private final Visit visit;
  private final Subscriptions all;
  private final NotificationLog log;

  VisitedSubscriptions(Visit visit, Subscriptions all, NotificationLog log) {
    this.visit = visit;
    this.all = all;
    this.log = log;
  }

  @Override
  public Subscription find(String id) {
    String key = Subscriptions.KEYS + id;
    byte[] kept = visit.state(key);
    // SetTerminationTime changes the time without the rest.
    return kept == null
        ? null
        : SubscriptionCodec.decode(kept).until(Optional.ofNullable(TerminationTime.of(visit, key)));
  }

  @Override
  public void put(Subscription subscription) {
    String key = Subscriptions.KEYS + subscription.id();
    visit.put(key, SubscriptionCodec.encode(subscription));
    TerminationTime.set(visit, key, subscription.termination().orElse(null));
  }

  @Override
  public void remove(String id, EndReason why) {
    String key = Subscriptions.KEYS + id;
    visit.remove(key);
    TerminationTime.set(visit, key, null);
  }

  @Override
  public int size() {
    return all.size();
  }

  @Override
  public long position() {
    return log.position();
  }
}
