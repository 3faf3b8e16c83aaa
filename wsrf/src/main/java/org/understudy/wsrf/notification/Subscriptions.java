package org.understudy.wsrf.notification;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.notification.delivery.Dispatcher;
import org.understudy.notification.subscription.Subscription;
import org.understudy.notification.subscription.SubscriptionCodec;
import org.understudy.notification.topic.TopicPath;
import org.understudy.replication.runtime.state.StateListener;
import org.understudy.replication.runtime.state.WholeState;
import org.understudy.wsrf.resource.TerminationTime;

/**
 * The subscriptions at some producers of the group, as a table on every replica. The table follows the replicated state
 * under the replica's lock, so a subscriber gets every message that is published after its subscription.
 */
public final class Subscriptions implements StateListener {
  /** The key prefix of a subscription. */
  public static final String KEYS = "subscription/";

  private static final Logger LOG = LoggerFactory.getLogger(Subscriptions.class);
  private static final String LIFETIMES = TerminationTime.key(KEYS);

  /** A dispatcher follows the table entry by entry, each under the map's lock for its key. */
  private final ConcurrentHashMap<String, Subscription> table = new ConcurrentHashMap<>();

  /** The ids of those made at a resource, by its key; those made at the whole service are not included. */
  private final ConcurrentHashMap<String, Set<String>> byProducer = new ConcurrentHashMap<>();

  /** Null at a replica that does not deliver. */
  private volatile Dispatcher dispatcher;

  private volatile boolean filling;

  private final Predicate<String> producers;

  /** @param producers the keys of those whose subscriptions these are; must be fast and not block */
  Subscriptions(Predicate<String> producers) {
    this.producers = producers;
  }

  @Override
  public void onReset() {
    table.clear();
    byProducer.clear();
  }

  /** A subscription must exist before its termination time is set. */
  @Override
  public void replaced(WholeState state) {
    onReset();
    addAll(state, KEYS);
    addAll(state, LIFETIMES);
  }

  private void addAll(WholeState state, String prefix) {
    state.forEach(
        (key, kept) -> {
          if (key.startsWith(prefix)) {
            onChange(key, kept);
          }
        });
  }

  @Override
  public boolean follows(String key) {
    return key.startsWith(KEYS) || key.startsWith(LIFETIMES);
  }

  @Override
  public void onChange(String key, byte[] state) {
    if (key.startsWith(KEYS)) {
      become(key.substring(KEYS.length()), state);
    } else if (key.startsWith(LIFETIMES)) {
      Optional<Instant> time = Optional.ofNullable(TerminationTime.read(state));
      table.computeIfPresent(key.substring(LIFETIMES.length()), (id, before) -> notifyFollower(before.until(time)));
    }
  }

  private void become(String id, byte[] state) {
    try {
      table.compute(
          id,
          (key, before) -> {
            if (state != null) {
              Subscription subscription = SubscriptionCodec.decode(state);
              if (!producers.test(subscription.producer())) {
                return null;
              }
              if (before == null && !subscription.producer().isEmpty()) {
                byProducer.computeIfAbsent(subscription.producer(), made -> ConcurrentHashMap.newKeySet()).add(id);
              }
              return notifyFollower(subscription);
            }
            if (before == null) {
              return null;
            }
            byProducer.computeIfPresent(
                before.producer(), (producer, ids) -> ids.remove(id) && ids.isEmpty() ? null : ids);
            if (dispatcher != null) {
              dispatcher.remove(id);
            }
            return null;
          });
    } catch (RuntimeException e) {
      LOG.error("Subscription {} cannot be read. This replica sends its consumer no notifications.", id, e);
    }
  }

  private Subscription notifyFollower(Subscription subscription) {
    if (dispatcher != null) {
      dispatcher.put(subscription);
    }
    return subscription;
  }

  /** Connects a dispatcher to the table. Until then {@link #wanted} returns true for every message. */
  void fill(Dispatcher fresh) {
    filling = true;
    dispatcher = fresh;
    for (String id : table.keySet()) {
      table.computeIfPresent(
          id,
          (key, subscription) -> {
            fresh.put(subscription);
            return subscription;
          });
    }
    filling = false;
  }

  /** Disconnects the dispatcher. */
  void abandon() {
    dispatcher = null;
  }

  /** The number of subscriptions. */
  public int size() {
    return table.size();
  }

  /** The ids of those made at this resource; may change meanwhile. */
  Set<String> at(String producer) {
    return byProducer.getOrDefault(producer, Set.of());
  }

  /** Whether the subscription exists, paused or not. */
  public boolean any(Predicate<Subscription> condition) {
    return table.values().stream().anyMatch(condition);
  }

  /** Whether a message would have a subscriber. Called by every update. */
  boolean wanted(String producer, TopicPath topic) {
    if (table.isEmpty()) {
      return false;
    }
    Dispatcher asked = dispatcher;
    return asked == null || filling || asked.wanted(producer, topic);
  }

  /** Whether a message must carry the properties of its producer. */
  boolean wantsProperties(String producer) {
    Dispatcher asked = dispatcher;
    return !table.isEmpty() && (asked == null || filling || asked.wantsProperties(producer));
  }
}
