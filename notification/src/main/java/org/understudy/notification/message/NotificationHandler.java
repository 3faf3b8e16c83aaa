package org.understudy.notification.message;

import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.understudy.notification.topic.TopicPath;
import org.understudy.soap.addressing.EndpointReference;

/** Takes what a Notify message holds, while it is read. */
@FunctionalInterface
public interface NotificationHandler {
  /**
   * Takes one message.
   *
   * @param topic its topic; null when the message names none
   * @param producer whom it comes from, through brokers too; null when the message does not name it; as little to be
   *     believed as the rest of it
   * @param in positioned on the start of the element inside {@code wsnt:Message}; may be moved within that element, up to
   *     its end, and is not valid afterwards
   * @throws XMLStreamException ends the reading and reaches its caller
   */
  void message(TopicPath topic, EndpointReference producer, XMLStreamReader in) throws XMLStreamException;

  /**
   * Takes one SOAP header block, before any message; by default leaves it alone.
   *
   * @param in positioned on the start of the block; may be moved within it, as above
   * @throws XMLStreamException ends the reading and reaches its caller
   */
  default void header(XMLStreamReader in) throws XMLStreamException {}
}
