package org.understudy.notification.topic;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * The topics that a producer supports (WS-Topics 1.3, section 7): all topics of some namespaces. A topic added to one of
 * them later is included, yet the set is called fixed, because no subscription adds to it. An open set accepts
 * subscriptions to topics that do not exist yet. Thread-safe; no method blocks.
 */
public final class TopicSet {
  /** The namespace of topic sets and topic namespaces, prefix {@code wstop}. */
  public static final String NAMESPACE = "http://docs.oasis-open.org/wsn/t-1";

  private final List<Collection<TopicPath>> parts;
  private final boolean fixed;
  private final boolean localNames;

  private TopicSet(List<Collection<TopicPath>> parts, boolean fixed, boolean localNames) {
    this.parts = parts;
    this.fixed = fixed;
    this.localNames = localNames;
  }

  /** All topics of these namespaces. */
  public static TopicSet of(TopicNamespace... namespaces) {
    return new TopicSet(Stream.of(namespaces).map(TopicNamespace::topics).toList(), true, false);
  }

  /**
   * A set that is not fixed: any topic may be subscribed to, and joins the set when it is used.
   *
   * @param topics the topics so far; thread-safe, read again each time
   */
  public static TopicSet open(Collection<TopicPath> topics) {
    return new TopicSet(List.of(topics), false, false);
  }

  /**
   * Returns this set for clients that leave out namespaces: a concrete expression whose root has none selects the topic of
   * that local name, if there is exactly one.
   */
  public TopicSet acceptingLocalNames() {
    return new TopicSet(parts, fixed, true);
  }

  /** {@code wsnt:FixedTopicSet} (WS-BaseNotification 1.3, section 4.1): only its topics can be subscribed to. */
  public boolean fixed() {
    return fixed;
  }

  /** Whether the set contains the topic. */
  public boolean contains(TopicPath topic) {
    return parts.stream().anyMatch(part -> part.contains(topic));
  }

  /** Whether the expression selects at least one topic, now or later. */
  public boolean offers(TopicExpression expression) {
    return !fixed || parts.stream().anyMatch(part -> part.stream().anyMatch(expression::selects));
  }

  /**
   * Resolves the expression against this set.
   *
   * @return empty when it selects no topic and cannot do so later
   */
  public Optional<TopicExpression> resolve(TopicExpression expression) {
    if (offers(expression)) {
      return Optional.of(expression);
    }
    if (!localNames || !(expression instanceof ConcreteTopicExpression concrete)
        || !concrete.path().root().getNamespaceURI().isEmpty()) {
      return Optional.empty();
    }
    List<TopicPath> meant = topics().stream().filter(topic -> isNamed(topic, concrete.path())).toList();
    return meant.size() == 1 ? Optional.of(TopicDialect.CONCRETE.parse(meant.get(0).expression())) : Optional.empty();
  }

  /** Whether the two differ at most in the namespace of the root. */
  private static boolean isNamed(TopicPath topic, TopicPath asked) {
    int length = asked.steps().size();
    return topic.steps().size() == length
        && topic.root().getLocalPart().equals(asked.root().getLocalPart())
        && topic.steps().subList(1, length).equals(asked.steps().subList(1, length));
  }

  /**
   * The one topic that an expression selects.
   *
   * @return empty when it selects none
   * @throws IllegalArgumentException when it selects several
   */
  public Optional<TopicPath> only(TopicExpression expression) {
    TopicPath found = null;
    for (Collection<TopicPath> part : parts) {
      for (TopicPath topic : part) {
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
    parts.forEach(topics::addAll);
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
