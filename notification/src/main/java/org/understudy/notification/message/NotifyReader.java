package org.understudy.notification.message;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.codehaus.stax2.XMLStreamReader2;
import org.understudy.notification.topic.TopicDialect;
import org.understudy.notification.topic.TopicPath;
import org.understudy.soap.addressing.EndpointReference;
import org.understudy.soap.envelope.ReferenceReader;
import org.understudy.soap.envelope.SoapVersion;
import org.understudy.soap.xml.ElementText;
import org.understudy.soap.xml.HardenedXmlReader;

/**
 * Reads Notify messages, SOAP 1.1 or 1.2 (WS-BaseNotification 1.3, section 3.2), in one pass. Thread-safe; create one and
 * keep it. Refuses a DOCTYPE and documents beyond the limits. Messages are passed on while they are read; in a malformed
 * envelope, those before the error have been passed on.
 */
public final class NotifyReader {

  private final HardenedXmlReader intake;

  /** @param intake the limits to enforce */
  public NotifyReader(HardenedXmlReader intake) {
    this.intake = intake;
  }

  /**
   * Reads one envelope to its end.
   *
   * @param charset from the Content-Type; null: from the document itself
   * @return the number of messages, at least one
   * @throws XMLStreamException when the document is no Notify message, holds no message, has an invalid topic or unknown
   *     dialect, is not well-formed, exceeds a limit, or the handler threw it
   */
  public int read(byte[] bytes, int offset, int length, String charset, NotificationHandler handler)
      throws XMLStreamException {
    XMLStreamReader2 in = intake.open(bytes, offset, length, charset);
    try {
      HardenedXmlReader.toRoot(in);
      Map<String, String> scope = new HashMap<>();
      ElementText.noteScope(in, scope);
      SoapVersion version = SoapVersion.ofNamespace(in.getNamespaceURI());
      expect(version != null && in.getLocalName().equals("Envelope"), "no SOAP envelope", in);
      in.nextTag();
      if (isStart(in, version.namespace(), "Header")) {
        headers(in, handler);
        in.nextTag();
      }
      expect(isStart(in, version.namespace(), "Body"), "the Body is missing or misplaced", in);
      ElementText.noteScope(in, scope);
      in.nextTag();
      expect(isStart(in, NotifyNames.NAMESPACE, "Notify"), "the Body holds no Notify", in);
      ElementText.noteScope(in, scope);
      int messages = 0;
      while (in.nextTag() == XMLStreamConstants.START_ELEMENT) {
        if (isStart(in, NotifyNames.NAMESPACE, "NotificationMessage")) {
          notification(in, new HashMap<>(scope), handler);
          messages++;
        } else {
          in.skipElement();
        }
      }
      expect(messages > 0, "it holds no NotificationMessage", in);
      while (in.hasNext()) {
        in.next();
      }
      return messages;
    } catch (StrayedReaderException e) {
      throw new IllegalStateException("The handler read past its element.", e);
    } finally {
      in.close();
    }
  }

  private static void headers(XMLStreamReader2 in, NotificationHandler handler) throws XMLStreamException {
    while (in.nextTag() == XMLStreamConstants.START_ELEMENT) {
      int depth = in.getDepth();
      handler.header(in);
      toEndOf(in, depth);
    }
  }

  private static void notification(XMLStreamReader2 in, Map<String, String> scope, NotificationHandler handler)
      throws XMLStreamException {
    ElementText.noteScope(in, scope);
    TopicPath topic = null;
    EndpointReference producer = null;
    boolean messageSeen = false;
    while (in.nextTag() == XMLStreamConstants.START_ELEMENT) {
      if (isStart(in, NotifyNames.NAMESPACE, "Topic")) {
        expect(!messageSeen && topic == null, "a second Topic, or one behind its Message", in);
        topic = topic(in);
      } else if (isStart(in, NotifyNames.NAMESPACE, "ProducerReference")) {
        expect(!messageSeen && producer == null, "a second ProducerReference, or one behind its Message", in);
        producer = producer(in, scope);
      } else if (isStart(in, NotifyNames.NAMESPACE, "Message")) {
        expect(!messageSeen, "a second Message in one NotificationMessage", in);
        messageSeen = true;
        expect(in.nextTag() == XMLStreamConstants.START_ELEMENT, "a Message without content", in);
        int depth = in.getDepth();
        handler.message(topic, producer, in);
        toEndOf(in, depth);
        expect(in.nextTag() == XMLStreamConstants.END_ELEMENT, "a Message with two elements", in);
      } else {
        in.skipElement();
      }
    }
    expect(messageSeen, "a NotificationMessage without Message", in);
  }

  private static TopicPath topic(XMLStreamReader2 in) throws XMLStreamException {
    String dialect = in.getAttributeValue(null, "Dialect");
    // The text is read before the prefixes are looked up: on the end tag they are still in scope.
    String text = in.getElementText();
    try {
      return TopicDialect.topic(dialect, text, in.getNamespaceContext());
    } catch (IllegalArgumentException e) {
      throw new XMLStreamException(e.getMessage(), in.getLocation());
    }
  }

  private static EndpointReference producer(XMLStreamReader2 in, Map<String, String> scope) throws XMLStreamException {
    try {
      return ReferenceReader.read(in, scope);
    } catch (IllegalArgumentException e) {
      // An invalid reference does not invalidate the message: a broker on the way may not have checked it.
      return null;
    }
  }

  private static void toEndOf(XMLStreamReader2 in, int depth) throws XMLStreamException {
    while (in.getDepth() > depth || !in.isEndElement()) {
      if (in.getDepth() < depth) {
        throw new StrayedReaderException();
      }
      in.next();
    }
    if (in.getDepth() < depth) {
      throw new StrayedReaderException();
    }
  }

  private static boolean isStart(XMLStreamReader in, String namespace, String name) {
    return in.isStartElement() && name.equals(in.getLocalName()) && Objects.equals(namespace, in.getNamespaceURI());
  }

  private static void expect(boolean condition, String otherwise, XMLStreamReader in) throws XMLStreamException {
    if (!condition) {
      throw new XMLStreamException("The Notify message is invalid: " + otherwise + ".", in.getLocation());
    }
  }

  private static final class StrayedReaderException extends XMLStreamException {
    private static final long serialVersionUID = 1L;
  }
}
