package org.understudy.notification.subscription;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.understudy.notification.addressing.EndpointReference;
import org.understudy.notification.message.Notification;

/**
 * One subscription, all that has to survive its producer (WS-BaseNotification 1.3, section 6). Immutable; a renewal makes a
 * new value with the same id.
 *
 * @param id 32 hexadecimal digits, unguessable: who knows it may renew and end the subscription
 * @param consumer where notifications go
 * @param filters all must accept a message
 * @param created when it was made, by the producer's clock
 * @param termination when it ends unless renewed; empty: never
 */
public record Subscription(
    String id,
    EndpointReference consumer,
    List<SubscriptionFilter> filters,
    Instant created,
    Optional<Instant> termination) {
  /** Copies the list. */
  public Subscription {
    filters = List.copyOf(filters);
  }

  /** Whether the consumer wants the message. */
  public boolean accepts(Notification notification) {
    for (SubscriptionFilter filter : filters) {
      if (!filter.accepts(notification)) {
        return false;
      }
    }
    return true;
  }

  /** Whether its time is up: a subscription is over at its termination time, not after it. */
  public boolean expiredAt(Instant now) {
    return termination.isPresent() && !now.isBefore(termination.get());
  }

  /** The same subscription with another termination time. */
  public Subscription until(Optional<Instant> newTermination) {
    return new Subscription(id, consumer, filters, created, newTermination);
  }
}
