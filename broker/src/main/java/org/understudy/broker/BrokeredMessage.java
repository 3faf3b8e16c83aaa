package org.understudy.broker;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.understudy.notification.fault.NotificationFault;
import org.understudy.notification.fault.NotificationFaultType;
import org.understudy.notification.message.NotifyNames;
import org.understudy.notification.topic.TopicDialect;
import org.understudy.notification.topic.TopicPath;
import org.understudy.soap.envelope.SoapFault;
import org.understudy.soap.xml.ElementText;
import org.understudy.soap.xml.HardenedXmlReader;

/**
 * One message that a publisher sent.
 *
 * @param topic {@link TopicPath#NONE} when it names none
 * @param origin its {@code wsnt:ProducerReference}, or null; like the content an element that declares every prefix it uses
 */
@SuppressWarnings("ArrayRecordComponent")
record BrokeredMessage(TopicPath topic, byte[] origin, byte[] content) {
  /** Reads again, without limits, what was already read within them. */

  /**
   * Reads an element {@code wsnt:NotificationMessage} whose Message holds one element.
   *
   * @throws NotificationFault when its topic is invalid
   * @throws SoapFault when it holds no message
   */
  static BrokeredMessage of(byte[] element) throws NotificationFault, SoapFault, XMLStreamException {
    XMLStreamReader2 in = HardenedXmlReader.openCopy(element, element.length);
    HardenedXmlReader.toRoot(in);
    Map<String, String> scope = new HashMap<>();
    ElementText.noteScope(in, scope);
    TopicPath topic = TopicPath.NONE;
    String origin = null;
    String content = null;
    while (in.nextTag() == XMLStreamConstants.START_ELEMENT) {
      if (is(in, "Topic")) {
        topic = topic(in);
      } else if (is(in, "ProducerReference")) {
        origin = ElementText.copy(in, scope, null);
      } else if (is(in, "Message")) {
        Map<String, String> inner = new HashMap<>(scope);
        ElementText.noteScope(in, inner);
        in.nextTag();
        content = ElementText.copy(in, inner, null);
        in.nextTag();
      } else {
        in.skipElement();
      }
    }
    in.close();
    if (content == null) {
      throw SoapFault.sender("A NotificationMessage has no Message.");
    }
    if (origin != null && !origin.contains("</")) {
      // An empty reference, which carries no information.
      origin = null;
    }
    return new BrokeredMessage(
        topic,
        origin == null ? null : origin.getBytes(StandardCharsets.UTF_8),
        content.getBytes(StandardCharsets.UTF_8));
  }

  private static TopicPath topic(XMLStreamReader2 in) throws NotificationFault, XMLStreamException {
    String dialect = in.getAttributeValue(null, "Dialect");
    // The text is read before the prefixes are looked up: on the end tag they are still in scope.
    String text = ElementText.textAlone(in);
    if (text == null) {
      throw NotificationFault.of(NotificationFaultType.INVALID_TOPIC_EXPRESSION,
          "A Topic holds an element. No supported dialect allows that.");
    }
    try {
      return TopicDialect.topic(dialect, text, in.getNamespaceContext());
    } catch (IllegalArgumentException e) {
      throw NotificationFault.of(NotificationFaultType.INVALID_TOPIC_EXPRESSION, e.getMessage());
    }
  }

  private static boolean is(XMLStreamReader2 in, String name) {
    return name.equals(in.getLocalName()) && NotifyNames.NAMESPACE.equals(in.getNamespaceURI());
  }
}
