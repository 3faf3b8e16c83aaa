package org.understudy.notification.topic;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * The topics of one namespace, a tree below each root (WS-Topics 1.3, section 6). The parent of a topic is a topic itself
 * only when it was added itself. Thread-safe; nothing blocks.
 */
public final class TopicNamespace {
  private static final int MAX_TOPICS = 10_000;

  private final String uri;
  private final Set<TopicPath> topics = ConcurrentHashMap.newKeySet();
  private final Map<TopicPath, List<QName>> messageTypes = new ConcurrentHashMap<>();

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
   * Adds a topic of this namespace; does nothing for an existing one.
   *
   * @param path NCNames separated by slashes, the root first
   * @param messages the elements of its messages, replacing those declared before; none: no declaration
   * @return the topic, to publish on
   * @throws IllegalArgumentException when the path is malformed
   * @throws IllegalStateException when there are 10,000 topics already
   */
  public TopicPath add(String path, QName... messages) {
    TopicPath topic = TopicPath.of(uri, path);
    if (topics.size() >= MAX_TOPICS && !topics.contains(topic)) {
      throw new IllegalStateException("A topic namespace holds at most " + MAX_TOPICS + " topics.");
    }
    topics.add(topic);
    if (messages.length > 0) {
      messageTypes.put(topic, List.of(messages));
    }
    return topic;
  }

  /** Whether this namespace has the topic. */
  public boolean contains(TopicPath topic) {
    return topics.contains(topic);
  }

  /** The topics, in no order. */
  public Collection<TopicPath> topics() {
    return Collections.unmodifiableCollection(topics);
  }

  /**
   * Writes the namespace as a document element {@code wstop:TopicNamespace} (section 6). A topic without a parent topic is
   * written beside the roots, with its path as {@code parent}. Where two of the same name would stand there, which the
   * schema forbids, every level is written as a topic. Declared message types are written; patterns of messages are not
   * supported.
   *
   * @param out declares nothing yet; is not closed
   * @throws IllegalStateException for the ad-hoc namespace, which has no document
   */
  public void writeTo(XMLStreamWriter out) throws XMLStreamException {
    if (uri.isEmpty()) {
      throw new IllegalStateException("The ad-hoc topic namespace has no document.");
    }
    TopicTree.of(topics).writeNamespace(uri, messageTypes, out);
  }
}
