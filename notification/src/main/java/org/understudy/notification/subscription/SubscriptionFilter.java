package org.understudy.notification.subscription;

import org.understudy.notification.message.Notification;

/**
 * One condition on messages (WS-BaseNotification 1.3, section 4.2, {@code wsnt:Filter}). A message reaches the consumer
 * when every filter accepts it. Immutable.
 */
public interface SubscriptionFilter {
  /** Whether the message passes. Called by the publishing thread: it must be fast and must not block. */
  boolean accepts(Notification notification);
}
