package org.understudy.wsrf.notification;

import javax.xml.namespace.QName;
import org.understudy.wsrf.resource.ResourceTransaction;

/** Receives messages on topics, which are sent when their update is stable. Thread-safe. */
public interface NotificationSink {
  /** A sink without subscribers. */
  NotificationSink NONE =
      new NotificationSink() {
        @Override
        public boolean wanted(ResourceTransaction transaction, String producer, QName topic) {
          return false;
        }

        @Override
        public void publish(ResourceTransaction transaction, String producer, QName topic, byte[] message) {}
      };

  /**
   * Whether a message on the topic may have a subscriber; if not, the caller does not create one. Called by every update:
   * must be cheap.
   *
   * @param transaction of the update; reads the subscriptions
   * @param producer the key of the resource that it is about
   * @param topic a root topic
   */
  boolean wanted(ResourceTransaction transaction, String producer, QName topic);

  /**
   * Adds a message to an update; a rollback drops it.
   *
   * @param message an element in UTF-8 that declares every prefix it uses
   */
  void publish(ResourceTransaction transaction, String producer, QName topic, byte[] message);
}
