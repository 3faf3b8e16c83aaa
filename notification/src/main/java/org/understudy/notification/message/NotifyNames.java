package org.understudy.notification.message;

/** Names of WS-BaseNotification 1.3. */
public final class NotifyNames {
  /** The namespace of messages, prefix {@code wsnt}. */
  public static final String NAMESPACE = "http://docs.oasis-open.org/wsn/b-2";
  /** {@code wsa:Action} of Notify (section 3.2). */
  public static final String NOTIFY_ACTION = "http://docs.oasis-open.org/wsn/bw-2/NotificationConsumer/Notify";

  private NotifyNames() {}
}
