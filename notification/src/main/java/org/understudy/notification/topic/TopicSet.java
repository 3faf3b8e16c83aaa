package org.understudy.notification.topic;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * The topics that a producer supports (WS-Topics 1.3, section 7): all of some namespaces. A topic added to one of them later
 * counts from then on, yet the set is called fixed: no subscription adds to it. Thread-safe; nothing blocks.
 */
public final class TopicSet {
  /** The namespace of topic sets and topic namespaces, prefix {@code wstop}. */
  public static final String NAMESPACE = "http://docs.oasis-open.org/wsn/t-1";

  private final List<TopicNamespace> namespaces;

  private TopicSet(List<TopicNamespace> namespaces) {
    this.namespaces = List.copyOf(namespaces);
  }

  /** All topics of these namespaces. */
  public static TopicSet of(TopicNamespace... namespaces) {
    return new TopicSet(List.of(namespaces));
  }

  /** {@code wsnt:FixedTopicSet} (WS-BaseNotification 1.3, section 4.1): no topic comes into being by being asked for. */
  public boolean fixed() {
    return true;
  }

  /** Whether this is a topic here. */
  public boolean contains(TopicPath topic) {
    return namespaces.stream().anyMatch(namespace -> namespace.contains(topic));
  }

  /** Whether the expression selects at least one topic. */
  public boolean offers(TopicExpression expression) {
    return namespaces.stream().anyMatch(namespace -> namespace.topics().stream().anyMatch(expression::selects));
  }

  /**
   * The one topic that an expression selects.
   *
   * @return empty when it selects none
   * @throws IllegalArgumentException when it selects several
   */
  public Optional<TopicPath> only(TopicExpression expression) {
    TopicPath found = null;
    for (TopicNamespace namespace : namespaces) {
      for (TopicPath topic : namespace.topics()) {
        if (expression.selects(topic)) {
          if (found != null) {
            throw new IllegalArgumentException("The expression selects more than one topic.");
          }
          found = topic;
        }
      }
    }
    return Optional.ofNullable(found);
  }

  /** All topics. */
  public List<TopicPath> topics() {
    List<TopicPath> topics = new ArrayList<>();
    namespaces.forEach(namespace -> topics.addAll(namespace.topics()));
    return topics;
  }

  /**
   * Writes the element {@code wstop:TopicSet} (section 7): an element for each level of each topic, and {@code
   * wstop:topic="true"} where a level is a topic itself.
   *
   * @param out need not have any prefix in scope; is not closed
   */
  public void writeTo(XMLStreamWriter out) throws XMLStreamException {
    TopicTree.of(topics()).writeSet(out);
  }
}
