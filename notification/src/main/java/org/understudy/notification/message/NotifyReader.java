package org.understudy.notification.message;

import java.util.Objects;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.codehaus.stax2.XMLStreamReader2;
import org.understudy.notification.soap.SoapVersion;
import org.understudy.notification.topic.TopicPath;
import org.understudy.notification.xml.XmlIntake;

/**
 * Reads Notify messages, SOAP 1.1 or 1.2 (WS-BaseNotification 1.3, section 3.2), in one pass. Thread-safe; make one and
 * keep it. A DOCTYPE and what exceeds the limits are refused. Messages are handed over while they are read: when the
 * envelope turns out to be broken, those before the break have been.
 */
public final class NotifyReader {
  private final XmlIntake intake;

  /**
   * A reader.
   *
   * @param intake the limits to keep
   */
  public NotifyReader(XmlIntake intake) {
    this.intake = intake;
  }

  /**
   * Reads one envelope, to its end.
   *
   * @param charset from the Content-Type; null: from the document itself
   * @return how many messages there were
   * @throws XMLStreamException when it is no Notify message, not well-formed, exceeds a limit, or the handler threw it
   */
  public int read(byte[] bytes, int offset, int length, String charset, NotificationHandler handler)
      throws XMLStreamException {
    XMLStreamReader2 in = intake.open(bytes, offset, length, charset);
    try {
      XmlIntake.toRoot(in);
      SoapVersion version = SoapVersion.ofNamespace(in.getNamespaceURI());
      expect(version != null && in.getLocalName().equals("Envelope"), "no SOAP envelope", in);
      in.nextTag();
      if (isStart(in, version.namespace(), "Header")) {
        headers(in, handler);
        in.nextTag();
      }
      expect(isStart(in, version.namespace(), "Body"), "no Body where one is due", in);
      in.nextTag();
      expect(isStart(in, NotifyNames.NAMESPACE, "Notify"), "the Body holds no Notify", in);
      int messages = 0;
      while (in.nextTag() == XMLStreamConstants.START_ELEMENT) {
        if (isStart(in, NotifyNames.NAMESPACE, "NotificationMessage")) {
          notification(in, handler);
          messages++;
        } else {
          in.skipElement();
        }
      }
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

  private static void notification(XMLStreamReader2 in, NotificationHandler handler) throws XMLStreamException {
    TopicPath topic = null;
    while (in.nextTag() == XMLStreamConstants.START_ELEMENT) {
      if (isStart(in, NotifyNames.NAMESPACE, "Topic")) {
        topic = topic(in);
      } else if (isStart(in, NotifyNames.NAMESPACE, "Message")) {
        expect(in.nextTag() == XMLStreamConstants.START_ELEMENT, "a Message without content", in);
        int depth = in.getDepth();
        handler.message(topic, in);
        toEndOf(in, depth);
        expect(in.nextTag() == XMLStreamConstants.END_ELEMENT, "a Message with two elements", in);
      } else {
        in.skipElement();
      }
    }
  }

  private static TopicPath topic(XMLStreamReader2 in) throws XMLStreamException {
    // The text is read before the prefixes are looked up: on the end tag they are still in scope.
    String text = in.getElementText();
    try {
      return TopicPath.parse(text, in.getNamespaceContext());
    } catch (IllegalArgumentException e) {
      throw new XMLStreamException(e.getMessage(), in.getLocation());
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
      throw new XMLStreamException("No Notify message: " + otherwise + ".", in.getLocation());
    }
  }

  private static final class StrayedReaderException extends XMLStreamException {
    private static final long serialVersionUID = 1L;
  }
}
