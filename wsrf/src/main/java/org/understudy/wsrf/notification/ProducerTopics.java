package org.understudy.wsrf.notification;

import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import org.understudy.notification.topic.TopicPath;
import org.understudy.notification.topic.TopicSet;
import org.understudy.wsrf.resource.ResourceTransaction;

/** The topics of a NotificationProducer: those of a service, or those of a broker. Thread-safe. */
public interface ProducerTopics {
  /** All topics that can be subscribed to. */
  TopicSet all();

  /** The topics whose last messages are stored for each resource, and removed with it. */
  Collection<TopicPath> declared();

  /**
   * A topic that the service declared.
   *
   * @throws IllegalArgumentException when it is undeclared
   */
  TopicPath declared(String path);

  /** The current message on a topic without a stored one; empty for none. */
  Optional<byte[]> value(TopicPath topic, ResourceTransaction transaction, Instant now);
}
