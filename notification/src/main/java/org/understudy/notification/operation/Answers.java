package org.understudy.notification.operation;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import javax.xml.XMLConstants;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamWriter2;
import org.understudy.notification.message.NotifyNames;
import org.understudy.soap.addressing.Addressing;
import org.understudy.soap.addressing.EndpointReference;
import org.understudy.soap.xml.Fragment;

/** Writes the content of an answer's Body: elements that declare every prefix they use. */
final class Answers {
  static final String WSNT = NotifyNames.NAMESPACE;
  static final String WSA = Addressing.NAMESPACE;

  private Answers() {}

  /** One element in the namespace of messages, with {@code wsnt} and {@code wsa} in scope. */
  static byte[] element(String name, Fragment.Writing content) {
    return Fragment.of(out -> {
      out.writeStartElement("wsnt", name, WSNT);
      out.writeNamespace("wsnt", WSNT);
      out.writeNamespace("wsa", WSA);
      content.to(out);
      out.writeEndElement();
    });
  }

  static byte[] empty(String name) {
    return element(name, out -> {});
  }

  static void text(XMLStreamWriter2 out, String name, String value) throws XMLStreamException {
    out.writeStartElement("wsnt", name, WSNT);
    out.writeCharacters(value);
    out.writeEndElement();
  }

  static void reference(XMLStreamWriter2 out, String name, EndpointReference to) throws XMLStreamException {
    out.writeStartElement("wsnt", name, WSNT);
    to.writeTo(out);
    out.writeEndElement();
  }

  static void currentTime(XMLStreamWriter2 out, Instant now) throws XMLStreamException {
    text(out, "CurrentTime", dateTime(now));
  }

  static void terminationTime(XMLStreamWriter2 out, Optional<Instant> time) throws XMLStreamException {
    out.writeStartElement("wsnt", "TerminationTime", WSNT);
    timeOrNil(out, time);
    out.writeEndElement();
  }

  /** Writes the content of a nillable element. */
  static void timeOrNil(XMLStreamWriter2 out, Optional<Instant> time) throws XMLStreamException {
    if (time.isPresent()) {
      out.writeCharacters(dateTime(time.get()));
    } else {
      out.writeNamespace("xsi", XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI);
      out.writeAttribute("xsi", XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI, "nil", "true");
    }
  }

  /** Whole milliseconds, because some clients' parsers accept no finer ones. */
  static String dateTime(Instant time) {
    return time.truncatedTo(ChronoUnit.MILLIS).toString();
  }
}
