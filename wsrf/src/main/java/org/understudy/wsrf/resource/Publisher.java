package org.understudy.wsrf.resource;

import org.w3c.dom.Element;

/** Receives the messages that a service publishes. Thread-safe. */
@FunctionalInterface
public interface Publisher {
  /**
   * Adds a message to an update.
   *
   * @param topic a path that the service declares
   * @throws IllegalArgumentException when the topic is unknown or the message is too long
   */
  void publish(ResourceTransaction transaction, String topic, Element message);
}
