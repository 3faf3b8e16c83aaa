package org.understudy.broker;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;

/** The subscriptions at publishers in the replicated state, by their keys. Changed under the replica's lock, read by any thread. */
final class DemandSubscriptions {
  /**
   * The prefix of a key: the id of a registration, the place of a topic in it, and the replica that is the consumer follow.
   */
  static final String KEYS = "demand/";

  private static final Logger LOG = LoggerFactory.getLogger(DemandSubscriptions.class);

  private final Map<String, DemandSubscription> held = new ConcurrentHashMap<>();

  void clear() {
    held.clear();
  }

  /** @param state null when the subscription was removed */
  void change(String key, byte[] state) {
    try {
      if (state == null) {
        held.remove(key);
      } else {
        held.put(key, DemandSubscription.decode(state));
      }
    } catch (IllegalArgumentException e) {
      LOG.error("The subscription {} at a publisher cannot be read. The broker subscribes again.", key, e);
    }
  }

  /** Null when there is none. */
  DemandSubscription get(String key) {
    return held.get(key);
  }

  /** All of them, in the order of their keys. */
  Map<String, DemandSubscription> all() {
    return new TreeMap<>(held);
  }

  /** The key of an existing subscription that leads to a member of the view; otherwise of a new one, to this replica. */
  String key(String registration, int topic, View view, ReplicaId self) {
    String prefix = KEYS + registration + "/" + topic + "/";
    for (ReplicaId member : view.members()) {
      if (held.containsKey(prefix + member)) {
        return prefix + member;
      }
    }
    return prefix + self;
  }

  /** A key without the replica: the same for all subscriptions of a topic of a registration. */
  static String prefix(String key) {
    return key.substring(0, key.lastIndexOf('/') + 1);
  }

  /** The id of the registration in a key. */
  static String registration(String key) {
    return key.substring(KEYS.length(), key.indexOf('/', KEYS.length()));
  }
}
