package org.understudy.notification.topic;

import org.understudy.notification.expression.Expression;

/**
 * Selects exactly one topic, without its descendants (WS-Topics 1.3, sections 8.1 and 8.2).
 *
 * @param dialect Simple or Concrete
 * @param source as it was written
 * @param path the topic
 */
public record ConcreteTopicExpression(TopicDialect dialect, Expression source, TopicPath path)
    implements TopicExpression {
  @Override
  public boolean selects(TopicPath topic) {
    return path.equals(topic);
  }
}
