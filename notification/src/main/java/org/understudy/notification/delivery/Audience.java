package org.understudy.notification.delivery;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.understudy.notification.subscription.Subscription;
import org.understudy.notification.topic.TopicPath;

/** The subscriptions at one producer. Which want a topic is found out once, until something changes. Thread-safe. */
final class Audience {
  /** Producers have fewer topics, as a rule; nobody is to fill memory with them. */
  private static final int MOST_TOPICS = 256;

  /** Guarded by this, as are the ids of those that look at properties. */
  private final Map<String, Outbox> members = new LinkedHashMap<>();

  private final Set<String> looking = new HashSet<>();
  /** Replaced when something changes; what is in it never does. */
  private volatile Map<TopicPath, List<Outbox>> byTopic = new ConcurrentHashMap<>();
  /** Topics that somebody wants. A new member takes none away: ten thousand may come without a look at all of them. */
  private volatile Set<TopicPath> wanted = ConcurrentHashMap.newKeySet();

  private volatile boolean looksAtProperties;

  synchronized void put(String id, Outbox outbox) {
    members.put(id, outbox);
    look(id, outbox.subscription());
    byTopic = new ConcurrentHashMap<>();
  }

  /** Whether nobody is left. Another outbox of that id stays. */
  synchronized boolean remove(String id, Outbox outbox) {
    if (members.remove(id, outbox)) {
      looking.remove(id);
    }
    forget();
    return members.isEmpty();
  }

  /** A member has another subscription than before. */
  synchronized void changed(Subscription subscription) {
    if (members.containsKey(subscription.id())) {
      look(subscription.id(), subscription);
    }
    forget();
  }

  private void look(String id, Subscription subscription) {
    if (!subscription.paused() && subscription.looksAtProperties()) {
      looking.add(id);
    } else {
      looking.remove(id);
    }
    looksAtProperties = !looking.isEmpty();
  }

  private void forget() {
    looksAtProperties = !looking.isEmpty();
    wanted = ConcurrentHashMap.newKeySet();
    byTopic = new ConcurrentHashMap<>();
  }

  /** Whether anybody wants messages on the topic, as far as topics tell. */
  boolean wants(TopicPath topic) {
    Set<TopicPath> known = wanted;
    return known.contains(topic) || findAny(topic, known);
  }

  private synchronized boolean findAny(TopicPath topic, Set<TopicPath> known) {
    for (Outbox outbox : members.values()) {
      Subscription subscription = outbox.subscription();
      if (!subscription.paused() && subscription.selects(topic)) {
        if (known.size() < MOST_TOPICS) {
          known.add(topic);
        }
        return true;
      }
    }
    return false;
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
