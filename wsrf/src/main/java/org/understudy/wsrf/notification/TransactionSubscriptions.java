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

/** The subscriptions with the changes of one transaction, to which this object belongs. */
final class TransactionSubscriptions implements SubscriptionStore {
  private final ResourceTransaction transaction;
  private final IntSupplier size;
  private final LongSupplier position;

  /**
   * Creates the view of a transaction.
   *
   * @param size how many there are
   * @param position of the last message so far that the producer has published
   */
  TransactionSubscriptions(ResourceTransaction transaction, IntSupplier size, LongSupplier position) {
    this.transaction = transaction;
    this.size = size;
    this.position = position;
  }

  @Override
  public Subscription find(String id) {
    String key = Subscriptions.KEYS + id;
    byte[] kept = transaction.state(key);
    // SetTerminationTime changes the time alone.
    return kept == null
        ? null
        : SubscriptionCodec.decode(kept).until(Optional.ofNullable(TerminationTime.of(transaction, key)));
  }

  @Override
  public void put(Subscription subscription) {
    String key = Subscriptions.KEYS + subscription.id();
    transaction.put(key, SubscriptionCodec.encode(subscription));
    TerminationTime.set(transaction, key, subscription.termination().orElse(null));
  }

  @Override
  public void remove(String id, EndReason why) {
    String key = Subscriptions.KEYS + id;
    transaction.remove(key);
    TerminationTime.set(transaction, key, null);
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
