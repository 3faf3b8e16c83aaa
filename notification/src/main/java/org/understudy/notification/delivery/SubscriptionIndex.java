package org.understudy.notification.delivery;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.understudy.notification.subscription.Subscription;
import org.understudy.notification.topic.TopicPath;

/** The subscriptions at one producer. The subscriptions for a topic are cached until something changes. Thread-safe. */
final class SubscriptionIndex {
  /** Bounds the memory; producers usually have fewer topics. */
  private static final int MAX_TOPICS = 256;

  /** Guarded by this, as are the ids of those with filters on properties. */
  private final Map<String, Outbox> members = new LinkedHashMap<>();

  private final Set<String> looking = new HashSet<>();
  /** Immutable; replaced when something changes. */
  private volatile Map<TopicPath, List<Outbox>> byTopic = new ConcurrentHashMap<>();
  /**
   * Cached answers whether any subscription selects a topic. A change invalidates only the answers that it can make wrong,
   * so ten thousand subscriptions may change without a scan.
   */
  private final Map<TopicPath, Boolean> answers = new ConcurrentHashMap<>();

  private volatile boolean looksAtProperties;

  synchronized void put(String id, Outbox outbox) {
    members.put(id, outbox);
    come(outbox.subscription());
  }

  /** Removes an outbox, unless another one has its id; returns whether no subscription is left. */
  synchronized boolean remove(String id, Outbox outbox) {
    if (members.remove(id, outbox)) {
      go(outbox.subscription());
    }
    return members.isEmpty();
  }

  /** Called when a member's subscription has changed. */
  synchronized void changed(Subscription before, Subscription subscription) {
    if (before.paused() != subscription.paused() && members.containsKey(subscription.id())) {
      go(before);
      come(subscription);
    }
  }

  private void come(Subscription subscription) {
    if (!subscription.paused()) {
      // These had no subscriber; they may have one now.
      answers.entrySet().removeIf(answer -> !answer.getValue() && subscription.selects(answer.getKey()));
      if (subscription.looksAtProperties()) {
        looking.add(subscription.id());
      }
    }
    invalidate();
  }

  private void go(Subscription subscription) {
    answers.entrySet().removeIf(answer -> answer.getValue() && subscription.selects(answer.getKey()));
    looking.remove(subscription.id());
    invalidate();
  }

  private void invalidate() {
    looksAtProperties = !looking.isEmpty();
    byTopic = new ConcurrentHashMap<>();
  }

  /** Whether any subscription selects messages on the topic, by topic only. */
  boolean wants(TopicPath topic) {
    Boolean answer = answers.get(topic);
    return answer == null ? findAny(topic) : answer;
  }

  private synchronized boolean findAny(TopicPath topic) {
    boolean any = members.values().stream().anyMatch(outbox -> wants(outbox.subscription(), topic));
    if (answers.size() < MAX_TOPICS) {
      answers.put(topic, any);
    }
    return any;
  }

  boolean looksAtProperties() {
    return looksAtProperties;
  }

  /** The subscriptions that select messages on the topic, by topic only. */
  List<Outbox> wanting(TopicPath topic) {
    List<Outbox> known = byTopic.get(topic);
    return known != null ? known : findOut(topic);
  }

  private synchronized List<Outbox> findOut(TopicPath topic) {
    List<Outbox> wanting = members.values().stream().filter(outbox -> wants(outbox.subscription(), topic)).toList();
    if (byTopic.size() < MAX_TOPICS) {
      byTopic.put(topic, wanting);
    }
    return wanting;
  }

  private static boolean wants(Subscription subscription, TopicPath topic) {
    return !subscription.paused() && subscription.selects(topic);
  }
}
