package org.understudy.notification.message;

import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Writes the content of one NotificationMessage. */
@FunctionalInterface
public interface MessageContent {
  /**
   * Writes exactly one element, start to end. No default namespace is in scope; the prefixes {@code soap}, {@code wsa} and
   * {@code wsnt} are, and the writer does not repair: whoever writes declares the other prefixes.
   *
   * @param out positioned inside {@code wsnt:Message}; must not be closed
   */
  void writeTo(XMLStreamWriter out) throws XMLStreamException;
}
