package org.understudy.wsrf.notification;

import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import org.understudy.notification.topic.TopicPath;
import org.understudy.notification.topic.TopicSet;
import org.understudy.wsrf.resource.ResourceTransaction;

/** The topics of a NotificationProducer: those of a service, or those of a broker. Thread-safe. */
public interface ProducerTopics {
  /** All that can be subscribed to. */
  TopicSet all();

  /** Those whose last messages are kept for each resource, and go with it. */
  Collection<TopicPath> declared();

  /**
   * A topic that the service declared.
   *
   * @throws IllegalArgumentException when it declared none such
   */
  TopicPath declared(String path);

  /** The current message on a topic of which none was kept; empty when there is none. */
  Optional<byte[]> value(TopicPath topic, ResourceTransaction transaction, Instant now);
}
