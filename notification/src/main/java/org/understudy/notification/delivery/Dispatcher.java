package org.understudy.notification.delivery;

import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.notification.message.Notification;
import org.understudy.notification.subscription.EndReason;
import org.understudy.notification.subscription.References;
import org.understudy.notification.subscription.Subscription;
import org.understudy.notification.topic.TopicPath;

/**
 * Delivers published messages to the consumers of any number of subscriptions. The caller stores the subscriptions and
 * passes them in. Thread-safe; no method waits for a consumer, and only {@link #close} for threads.
 *
 * <p>A subscription gets the messages that it selects in the order of their positions, each at least once, or it ends and
 * the listener gets the reason. To continue where another dispatcher stopped: {@link #resume}, {@link #put} every
 * subscription, and {@link #publish} again what was kept above the checkpoint's floor.
 */
public final class Dispatcher implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);
  private static final String WHOLE_SERVICE = "";

  private final Clock clock;
  private final References references;
  private final Predicate<String> resources;
  private final Function<Subscription, Optional<Sink>> sinks;
  private final BiConsumer<Subscription, EndReason> ended;
  private final DeliveryScheduler deliveries;
  private final AtomicLong waitingBytes = new AtomicLong();

  private final Map<String, Outbox> outboxes = new ConcurrentHashMap<>();
  private final Map<String, SubscriptionIndex> audiences = new ConcurrentHashMap<>();
  private final Object publishing = new Object();
  private volatile Checkpoint start = Checkpoint.NONE;
  private volatile long published;

  /**
   * Starts the threads.
   *
   * @param clock the wall clock for termination times
   * @param references the endpoint references in messages, requested when first needed
   * @param resources whether a producer is a resource of the service: a subscription at the whole service gets their
   *     messages. Must be fast and not block
   * @param sinks the destination of a subscription's messages; empty: over HTTP to the consumer's address
   * @param ended called once, by the detecting thread, when a subscription can no longer be served; it is removed here
   *     already. Must not block
   */
  public Dispatcher(
      DeliverySettings settings,
      Clock clock,
      References references,
      Predicate<String> resources,
      Function<Subscription, Optional<Sink>> sinks,
      BiConsumer<Subscription, EndReason> ended) {
    this.clock = clock;
    this.resources = resources;
    this.references = references;
    this.sinks = sinks;
    this.ended = ended;
    this.deliveries = new DeliveryScheduler(settings);
  }

  /**
   * Takes over from another dispatcher. Must be the first call.
   *
   * @throws IllegalStateException when something was published or put already
   */
  public void resume(Checkpoint progress) {
    synchronized (publishing) {
      if (published != 0 || !outboxes.isEmpty()) {
        throw new IllegalStateException("A dispatcher can only resume before it starts.");
      }
      start = progress;
      published = progress.floor();
    }
  }

  /**
   * Adds or changes a subscription. Its queue is kept, unless the subscription is now paused.
   *
   * <p>A new one gets the messages published or published again from now on, with positions above both its own {@code
   * since} and its position in the resumed checkpoint.
   */
  public void put(Subscription subscription) {
    outboxes.compute(subscription.id(), (id, present) -> {
      if (present != null) {
        Subscription before = present.subscription();
        present.change(subscription);
        audience(subscription).changed(before, subscription);
        return present;
      }
      Outbox outbox =
          new Outbox(
              subscription, references, start.of(id),
              sinks.apply(subscription).orElse(deliveries.http()), deliveries, reason -> end(id, reason));
      audiences.compute(subscription.producer(), (key, audience) -> {
        SubscriptionIndex found = audience == null ? new SubscriptionIndex() : audience;
        found.put(id, outbox);
        return found;
      });
      return outbox;
    });
  }

  /** Removes a subscription and its queue; a message in flight may still arrive. */
  public void remove(String id) {
    take(id);
  }

  /** The number of subscriptions. */
  public int size() {
    return outboxes.size();
  }

  /** Whether any subscription may select such a message: a lookup in memory, for the path of requests. */
  public boolean wanted(String producer, TopicPath topic) {
    return wants(producer, topic) || isOfService(producer) && wants(WHOLE_SERVICE, topic);
  }

  /** Whether any subscription filters by the producer's properties, which messages must then carry. */
  public boolean wantsProperties(String producer) {
    return looksAtProperties(producer) || isOfService(producer) && looksAtProperties(WHOLE_SERVICE);
  }

  /**
   * Publishes a message. Returns when it is queued for those subscriptions whose topic filters accept it; other threads
   * evaluate the other filters later.
   *
   * @return the number of queues
   * @throws IllegalArgumentException when the position is not greater than that of the message before
   */
  public int publish(Notification notification) {
    synchronized (publishing) {
      if (notification.position() <= published) {
        throw new IllegalArgumentException(
            "A message at " + notification.position() + " after one at " + published + ": positions must ascend.");
      }
      SharedNotification shared = new SharedNotification(notification, references::producer, waitingBytes);
      int queues = offer(shared, wanting(notification.producer(), notification.topic()));
      if (!notification.producer().equals(WHOLE_SERVICE) && isOfService(notification.producer())) {
        queues += offer(shared, wanting(WHOLE_SERVICE, notification.topic()));
      }
      published = notification.position();
      return queues;
    }
  }

  private int offer(SharedNotification shared, List<Outbox> wanting) {
    int queues = 0;
    Instant now = clock.instant();
    for (Outbox outbox : wanting) {
      boolean crowded = waitingBytes.get() > deliveries.settings().totalBytes();
      queues += outbox.offer(shared, now, crowded) ? 1 : 0;
    }
    return queues;
  }

  /** The progress of delivery. Iterates over every subscription: a millisecond for ten thousand. */
  public Checkpoint progress() {
    // Messages published from here on count as not delivered.
    long upTo = published;
    long floor = upTo;
    Map<String, Long> laggards = new HashMap<>();
    for (Map.Entry<String, Outbox> entry : outboxes.entrySet()) {
      long done = entry.getValue().done(upTo);
      if (done < upTo) {
        laggards.put(entry.getKey(), done);
        floor = Math.min(floor, done);
      }
    }
    return new Checkpoint(floor, upTo, laggards);
  }

  /** Whether a message at this position or before is queued or in flight for a subscription. */
  public boolean waits(String id, long position) {
    Outbox outbox = outboxes.get(id);
    return outbox != null && outbox.done(Long.MAX_VALUE) < position;
  }

  /** The delivery results so far. */
  public DeliveryCounters counters() {
    return deliveries.counters();
  }

  /** Bytes of queued messages, each counted once. */
  public long waitingBytes() {
    return waitingBytes.get();
  }

  /** Ends all threads and connections, within about ten seconds. Queued messages are dropped; the listener is not called. */
  @Override
  public void close() {
    outboxes.keySet().forEach(this::take);
    deliveries.close();
  }

  private void end(String id, EndReason reason) {
    Outbox outbox = take(id);
    if (outbox != null) {
      Subscription subscription = outbox.subscription();
      LOG.warn("Subscription {} of {} ended: {}.", id, subscription.consumer().address(), reason);
      try {
        ended.accept(subscription, reason);
      } catch (RuntimeException e) {
        LOG.error("The listener failed at the end of subscription {}.", id, e);
      }
    }
  }

  private Outbox take(String id) {
    Outbox outbox = outboxes.remove(id);
    if (outbox != null) {
      outbox.close();
      audiences.computeIfPresent(
          outbox.subscription().producer(), (key, audience) -> audience.remove(id, outbox) ? null : audience);
    }
    return outbox;
  }

  private boolean isOfService(String producer) {
    return resources.test(producer);
  }

  private SubscriptionIndex audience(Subscription subscription) {
    return audiences.get(subscription.producer());
  }

  private boolean looksAtProperties(String producer) {
    SubscriptionIndex audience = audiences.get(producer);
    return audience != null && audience.looksAtProperties();
  }

  private boolean wants(String producer, TopicPath topic) {
    SubscriptionIndex audience = audiences.get(producer);
    return audience != null && audience.wants(topic);
  }

  private List<Outbox> wanting(String producer, TopicPath topic) {
    SubscriptionIndex audience = audiences.get(producer);
    return audience == null ? List.of() : audience.wanting(topic);
  }
}
