package org.understudy.notification.filter;

import javax.xml.namespace.QName;
import org.understudy.notification.expression.Expression;
import org.understudy.notification.topic.TopicExpression;
import org.understudy.notification.topic.TopicPath;

/**
 * Accepts messages on the topics of an expression ({@code wsnt:TopicExpression}). Cheap: evaluated before a message is
 * queued.
 *
 * @param expression the expression
 */
public record TopicFilter(TopicExpression expression) implements SubscriptionFilter {
  @Override
  public QName element() {
    return TOPIC_EXPRESSION;
  }

  @Override
  public Expression source() {
    return expression.source();
  }

  /** Whether messages on this topic pass. */
  public boolean selects(TopicPath topic) {
    return expression.selects(topic);
  }
}
