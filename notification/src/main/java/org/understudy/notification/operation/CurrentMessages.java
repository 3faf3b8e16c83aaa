package org.understudy.notification.operation;

import java.util.Optional;
import org.understudy.notification.topic.TopicPath;

/** The last published message of each topic (WS-BaseNotification 1.3, section 4.3). */
@FunctionalInterface
public interface CurrentMessages {
  /**
   * The last message that a producer sent on a topic, if any.
   *
   * @return one XML element in UTF-8 that declares every prefix it uses
   */
  Optional<byte[]> last(String producer, TopicPath topic);
}
