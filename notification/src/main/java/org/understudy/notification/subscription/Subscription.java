package org.understudy.notification.subscription;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.understudy.notification.filter.ContentFilter;
import org.understudy.notification.filter.ProducerPropertiesFilter;
import org.understudy.notification.filter.SubscriptionFilter;
import org.understudy.notification.filter.TopicFilter;
import org.understudy.notification.message.Notification;
import org.understudy.notification.topic.TopicPath;
import org.understudy.notification.xpath.XPathException;
import org.understudy.soap.addressing.EndpointReference;
import org.understudy.soap.envelope.SoapVersion;

/**
 * One subscription (WS-BaseNotification 1.3, section 6). Immutable; a change makes a new value with the same id.
 *
 * @param id 32 hexadecimal digits, unguessable: a client with the id can renew and end the subscription
 * @param producer the key of its resource; empty: the service, and so every resource
 * @param consumer where notifications go
 * @param filters all must accept a message; at most {@link #MAX_FILTERS}
 * @param raw the message alone is sent, without Notify ({@code wsnt:UseRaw}, section 4.2)
 * @param paused nothing is sent (section 6.2)
 * @param since only messages with a greater position are sent
 * @param created when it was created, by the producer's clock
 * @param termination when it ends unless renewed; empty: never
 * @param version of SOAP in which messages are sent: the one that the subscriber used
 */
public record Subscription(
    String id,
    String producer,
    EndpointReference consumer,
    List<SubscriptionFilter> filters,
    boolean raw,
    boolean paused,
    long since,
    Instant created,
    Optional<Instant> termination,
    SoapVersion version) {
  /** The maximum number of filters. */
  public static final int MAX_FILTERS = 8;

  /** A subscription whose messages are sent in SOAP 1.1. */
  public Subscription(
      String id,
      String producer,
      EndpointReference consumer,
      List<SubscriptionFilter> filters,
      boolean raw,
      boolean paused,
      long since,
      Instant created,
      Optional<Instant> termination) {
    this(id, producer, consumer, filters, raw, paused, since, created, termination, SoapVersion.SOAP11);
  }

  /** @throws IllegalArgumentException when there are too many filters */
  public Subscription {
    filters = List.copyOf(filters);
    if (filters.size() > MAX_FILTERS) {
      throw new IllegalArgumentException("The subscription has more than " + MAX_FILTERS + " filters.");
    }
  }

  /** Whether its topic filters accept a topic. Fast. */
  public boolean selects(TopicPath topic) {
    for (SubscriptionFilter filter : filters) {
      if (filter instanceof TopicFilter topicFilter && !topicFilter.selects(topic)) {
        return false;
      }
    }
    return true;
  }

  /** Whether it has filters on the content of documents. */
  public boolean hasContentFilters() {
    return filters.stream().anyMatch(ContentFilter.class::isInstance);
  }

  /** Whether it has filters on the producer's properties. */
  public boolean looksAtProperties() {
    return filters.stream().anyMatch(ProducerPropertiesFilter.class::isInstance);
  }

  /**
   * Whether the content filters accept a message. Slow.
   *
   * @throws XPathException when one cannot be evaluated
   */
  public boolean acceptsContent(Notification notification) throws XPathException {
    for (SubscriptionFilter filter : filters) {
      if (filter instanceof ContentFilter contentFilter && !contentFilter.accepts(notification)) {
        return false;
      }
    }
    return true;
  }

  /** Whether it has expired: a subscription ends at its termination time, not after it. */
  public boolean expiredAt(Instant now) {
    return termination.isPresent() && !now.isBefore(termination.get());
  }

  /** Returns this subscription with another termination time. */
  public Subscription until(Optional<Instant> newTermination) {
    return new Subscription(id, producer, consumer, filters, raw, paused, since, created, newTermination, version);
  }

  /** Returns this subscription, paused. */
  public Subscription pause() {
    return new Subscription(id, producer, consumer, filters, raw, true, since, created, termination, version);
  }

  /** Returns this subscription, not paused, for messages after a position. */
  public Subscription resume(long newSince) {
    return new Subscription(id, producer, consumer, filters, raw, false, newSince, created, termination, version);
  }
}
