package org.understudy.notification.topic;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The topics that a producer supports: its topic set (WS-Topics 1.3, section 7). The parent of a topic is one only when it
 * was added itself. Thread-safe; nothing blocks.
 */
public final class TopicNamespace {
  private final String uri;
  private final Set<TopicPath> topics = ConcurrentHashMap.newKeySet();

  /**
   * A namespace without topics.
   *
   * @param uri the URI of the namespace; empty for the ad-hoc one
   */
  public TopicNamespace(String uri) {
    this.uri = uri;
  }

  /** The URI of the namespace. */
  public String uri() {
    return uri;
  }

  /**
   * Adds a topic of this namespace; one already there is no error.
   *
   * @param path NCNames separated by slashes, the root first
   * @return the topic, to publish on
   * @throws IllegalArgumentException when the path is malformed
   */
  public TopicPath add(String path) {
    TopicPath topic = TopicPath.of(uri, path);
    topics.add(topic);
    return topic;
  }

  /** Whether this is a topic here. */
  public boolean contains(TopicPath topic) {
    return topics.contains(topic);
  }

  /** Whether the expression selects at least one topic. */
  public boolean offers(TopicExpression expression) {
    return topics.stream().anyMatch(expression::selects);
  }
}
