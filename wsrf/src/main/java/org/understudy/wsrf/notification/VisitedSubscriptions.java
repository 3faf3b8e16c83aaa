package org.understudy.wsrf.notification;

import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.understudy.notification.operation.SubscriptionStore;
import org.understudy.notification.subscription.EndReason;
import org.understudy.notification.subscription.Subscription;
import org.understudy.notification.subscription.SubscriptionCodec;
import org.understudy.wsrf.resource.ResourceTransaction;
import org.understudy.wsrf.resource.TerminationTime;

/** The subscriptions as one operation sees and changes them. Belongs to the visit. */
final class VisitedSubscriptions implements SubscriptionStore {
  private final ResourceTransaction visit;
  private final IntSupplier size;
  private final LongSupplier position;

  /**
   * Those that a visit sees.
   *
   * @param size how many there are
   * @param position of the last message so far that the producer has published
   */
  VisitedSubscriptions(ResourceTransaction visit, IntSupplier size, LongSupplier position) {
    this.visit = visit;
    this.size = size;
    this.position = position;
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
    return size.getAsInt();
  }

  @Override
  public long position() {
    return position.getAsLong();
  }
}
