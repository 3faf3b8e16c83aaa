package org.understudy.notification.topic;

import org.understudy.notification.expression.Expression;

/** Selects topics (WS-Topics 1.3, section 8). Immutable. */
public interface TopicExpression {
  /** Its dialect. */
  TopicDialect dialect();

  /** The expression as it was written. */
  Expression source();

  /** Whether it selects this topic. Called for every message; must be fast and must not block. */
  boolean selects(TopicPath topic);
}
