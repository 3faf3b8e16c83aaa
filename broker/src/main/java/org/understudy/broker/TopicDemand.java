package org.understudy.broker;

import org.understudy.notification.filter.SubscriptionFilter;
import org.understudy.notification.filter.TopicFilter;
import org.understudy.notification.subscription.Subscription;
import org.understudy.notification.topic.ConcreteTopicExpression;
import org.understudy.notification.topic.TopicExpression;

/** Whether subscribers of the broker want what a publisher offers. */
final class TopicDemand {
  private TopicDemand() {}

  /** Whether a subscriber may select topics that an expression selects; true in doubt. */
  static boolean wants(Subscription subscription, TopicExpression expression) {
    if (subscription.paused() || !subscription.producer().isEmpty()) {
      return false;
    }
    if (expression instanceof ConcreteTopicExpression one) {
      return subscription.selects(one.path());
    }
    for (SubscriptionFilter filter : subscription.filters()) {
      if (filter instanceof TopicFilter topics
          && topics.expression() instanceof ConcreteTopicExpression one
          && !expression.selects(one.path())) {
        return false;
      }
    }
    return true;
  }
}
