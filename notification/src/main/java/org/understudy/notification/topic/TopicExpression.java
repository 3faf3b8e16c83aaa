package org.understudy.notification.topic;

import org.understudy.notification.expression.Expression;

/** Selects topics (WS-Topics 1.3, section 8). Immutable. */
public interface TopicExpression {
  /** The language in which it was written. */
  TopicDialect dialect();

  /** As it was written. */
  Expression source();

  /** Whether it selects this topic. Called for every message: it must be fast and must not block. */
  boolean selects(TopicPath topic);
}
