package org.understudy.notification.delivery;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.understudy.notification.subscription.Subscription;
import org.understudy.notification.topic.TopicPath;

/** The subscriptions at one producer. Which want a topic is found out once, until something changes. Thread-safe. */
final class Audience {
  /** Producers have fewer topics, as a rule; nobody is to fill memory with them. */
  private static final int MOST_TOPICS = 256;

  /** Guarded by this. */
  private final Map<String, Outbox> members = new LinkedHashMap<>();
  /** Replaced when something changes; what is in it never does. */
  private volatile Map<TopicPath, List<Outbox>> byTopic = new ConcurrentHashMap<>();
  private volatile boolean looksAtProperties;

  synchronized void put(String id, Outbox outbox) {
    members.put(id, outbox);
    changed();
  }

  /** Whether nobody is left. Another outbox of that id stays. */
  synchronized boolean remove(String id, Outbox outbox) {
    members.remove(id, outbox);
    changed();
    return members.isEmpty();
  }

  /** A member has another subscription than before. */
  synchronized void changed() {
    byTopic = new ConcurrentHashMap<>();
    looksAtProperties = members.values().stream().map(Outbox::subscription)
        .anyMatch(subscription -> !subscription.paused() && subscription.looksAtProperties());
  }

  boolean looksAtProperties() {
    return looksAtProperties;
  }

  /** Who wants messages on the topic, as far as topics tell. */
  List<Outbox> wanting(TopicPath topic) {
    List<Outbox> known = byTopic.get(topic);
    return known != null ? known : findOut(topic);
  }

  private synchronized List<Outbox> findOut(TopicPath topic) {
    List<Outbox> wanting = new ArrayList<>();
    for (Outbox outbox : members.values()) {
      Subscription subscription = outbox.subscription();
      if (!subscription.paused() && subscription.selects(topic)) {
        wanting.add(outbox);
      }
    }
    if (byTopic.size() < MOST_TOPICS) {
      byTopic.put(topic, wanting);
    }
    return wanting;
  }
}
