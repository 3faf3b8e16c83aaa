package org.understudy.notification.subscription;

import org.understudy.notification.message.Notification;
import org.understudy.notification.topic.TopicExpression;

/**
 * Accepts messages on the topics of an expression ({@code wsnt:TopicExpression}).
 *
 * @param expression the expression
 */
public record TopicFilter(TopicExpression expression) implements SubscriptionFilter {
  @Override
  public boolean accepts(Notification notification) {
    return expression.selects(notification.topic());
  }
}
