package org.understudy.notification.message;

import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.understudy.notification.topic.TopicPath;
import org.understudy.soap.addressing.EndpointReference;

/** Receives the content of a Notify message while it is read. */
@FunctionalInterface
public interface NotificationHandler {
  /**
   * Receives one message.
   *
   * @param topic its topic; null when the message names none
   * @param producer the original producer, also through brokers; null when the message does not name it; not authenticated
   * @param in positioned on the start of the element inside {@code wsnt:Message}; may be moved within that element, up to
   *     its end, and is not valid afterwards
   * @throws XMLStreamException ends the reading and reaches its caller
   */
  void message(TopicPath topic, EndpointReference producer, XMLStreamReader in) throws XMLStreamException;

  /**
   * Receives one SOAP header block, before any message; does nothing by default.
   *
   * @param in positioned on the start of the block; may be moved within it, as above
   * @throws XMLStreamException ends the reading and reaches its caller
   */
  default void header(XMLStreamReader in) throws XMLStreamException {}
}
