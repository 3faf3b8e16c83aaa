package org.understudy.notification.topic;

/**
 * Selects exactly one topic, none of its descendants (WS-Topics 1.3, sections 8.1 and 8.2).
 *
 * @param dialect how it was written
 * @param path the topic
 */
public record ConcreteTopicExpression(TopicDialect dialect, TopicPath path) implements TopicExpression {
  @Override
  public boolean selects(TopicPath topic) {
    return path.equals(topic);
  }
}
