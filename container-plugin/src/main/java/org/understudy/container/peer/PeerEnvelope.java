package org.understudy.container.peer;

import com.ctc.wstx.stax.WstxOutputFactory;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.understudy.notification.message.NotifyNames;
import org.understudy.replication.core.Message;
import org.understudy.soap.addressing.Addressing;
import org.understudy.soap.envelope.SoapVersion;

/**
 * One SOAP 1.1 message that carries peer messages. Small messages are inline in base64. If one is large, all are
 * XOP parts (MTOM), so that state is neither encoded nor parsed as text.
 */
final class PeerEnvelope {
  static final String NAMESPACE = "urn:understudy:peer:1";
  private static final String SOAP = SoapVersion.SOAP11.namespace();
  private static final String WSA = Addressing.NAMESPACE;
  private static final String WSNT = NotifyNames.NAMESPACE;
  private static final String XOP = "http://www.w3.org/2004/08/xop/include";
  private static final String CONCRETE = "http://docs.oasis-open.org/wsn/t-1/TopicExpression/Concrete";
  private static final String TOPICS = "urn:understudy:topics:1";
  private static final int INLINE_BYTES = 1_024;
  private static final WstxOutputFactory FACTORY = new WstxOutputFactory();

  private final String contentType;
  private final List<byte[]> segments;

  private PeerEnvelope(String contentType, List<byte[]> segments) {
    this.contentType = contentType;
    this.segments = segments;
  }

  String contentType() {
    return contentType;
  }

  List<byte[]> segments() {
    return segments;
  }

  long length() {
    long length = 0;
    for (byte[] segment : segments) {
      length += segment.length;
    }
    return length;
  }

  /** Creates a {@code Deliver} or a {@code DeliverResponse}. */
  static PeerEnvelope deliver(
      String element, String group, int from, int to, List<Message> messages, EncodedMessageCache encoded) {
    return write(messages, encoded, (out, contents) -> {
      out.writeStartElement("soap", "Body", SOAP);
      out.writeStartElement("p", element, NAMESPACE);
      out.writeNamespace("p", NAMESPACE);
      out.writeAttribute("group", group);
      out.writeAttribute("from", Integer.toString(from));
      out.writeAttribute("to", Integer.toString(to));
      for (int i = 0; i < messages.size(); i++) {
        contents.write(i);
      }
    });
  }

  /** Creates a {@code wsnt:Notify} with one NotificationMessage for each peer message. */
  static PeerEnvelope notify(String producer, String consumer, List<Message> messages, EncodedMessageCache encoded) {
    return write(messages, encoded, (out, contents) -> {
      out.writeStartElement("soap", "Header", SOAP);
      out.writeNamespace("wsa", WSA);
      text(out, "wsa", "To", WSA, consumer);
      text(out, "wsa", "Action", WSA, NotifyNames.NOTIFY_ACTION);
      text(out, "wsa", "MessageID", WSA, "urn:uuid:" + new java.util.UUID(random(), random()));
      out.writeEndElement();
      out.writeStartElement("soap", "Body", SOAP);
      out.writeStartElement("wsnt", "Notify", WSNT);
      out.writeNamespace("wsnt", WSNT);
      out.writeNamespace("p", NAMESPACE);
      out.writeNamespace("ut", TOPICS);
      for (int i = 0; i < messages.size(); i++) {
        out.writeStartElement("wsnt", "NotificationMessage", WSNT);
        out.writeStartElement("wsnt", "Topic", WSNT);
        out.writeAttribute("Dialect", CONCRETE);
        out.writeCharacters("ut:" + messages.get(i).kind().topic());
        out.writeEndElement();
        out.writeStartElement("wsnt", "ProducerReference", WSNT);
        out.writeNamespace("wsa", WSA);
        text(out, "wsa", "Address", WSA, producer);
        out.writeEndElement();
        out.writeStartElement("wsnt", "Message", WSNT);
        contents.write(i);
        out.writeEndElement();
        out.writeEndElement();
      }
    });
  }

  private static void text(XMLStreamWriter out, String prefix, String name, String namespace, String text)
      throws XMLStreamException {
    out.writeStartElement(prefix, name, namespace);
    out.writeCharacters(text);
    out.writeEndElement();
  }

  private static long random() {
    return ThreadLocalRandom.current().nextLong();
  }

  /** Writes the elements around the messages, and calls {@link Contents} at the place of each. */
  private interface Surroundings {
    void write(XMLStreamWriter out, Contents contents) throws XMLStreamException;
  }

  private interface Contents {
    void write(int message) throws XMLStreamException;
  }

  private static PeerEnvelope write(List<Message> messages, EncodedMessageCache encoded, Surroundings surroundings) {
    List<byte[]> binaries = new ArrayList<>(messages.size());
    boolean large = false;
    for (Message message : messages) {
      byte[] bytes = encoded.of(message);
      binaries.add(bytes);
      large |= bytes.length > INLINE_BYTES;
    }
    boolean xop = large;
    ByteArrayOutputStream root = new ByteArrayOutputStream(1_024);
    try {
      XMLStreamWriter out = FACTORY.createXMLStreamWriter(root, "UTF-8");
      out.writeStartElement("soap", "Envelope", SOAP);
      out.writeNamespace("soap", SOAP);
      surroundings.write(out, i -> {
        out.writeStartElement("p", "message", NAMESPACE);
        out.writeAttribute("type", messages.get(i).kind().name());
        out.writeAttribute("epoch", Long.toString(messages.get(i).epoch()));
        if (xop) {
          out.writeStartElement("xop", "Include", XOP);
          out.writeNamespace("xop", XOP);
          out.writeAttribute("href", "cid:" + i + "@understudy");
          out.writeEndElement();
        } else {
          out.writeCharacters(Base64.getEncoder().encodeToString(binaries.get(i)));
        }
        out.writeEndElement();
      });
      out.writeEndDocument();
      out.close();
    } catch (XMLStreamException e) {
      throw new IllegalStateException("Writing to memory does not fail.", e);
    }
    return xop
        ? multipart(root.toByteArray(), binaries)
        : new PeerEnvelope(SoapVersion.SOAP11.contentType(), List.of(root.toByteArray()));
  }

  private static PeerEnvelope multipart(byte[] root, List<byte[]> binaries) {
    // Random, so that the content cannot contain it.
    String boundary = "understudy-" + Long.toHexString(random()) + Long.toHexString(random());
    List<byte[]> segments = new ArrayList<>(2 * binaries.size() + 2);
    segments.add(ascii("--" + boundary + "\r\nContent-Type: application/xop+xml; charset=UTF-8; type=\"text/xml\"\r\n"
        + "Content-ID: <root@understudy>\r\n\r\n"));
    segments.add(root);
    for (int i = 0; i < binaries.size(); i++) {
      segments.add(ascii("\r\n--" + boundary + "\r\nContent-Type: application/octet-stream\r\nContent-ID: <" + i
          + "@understudy>\r\nContent-Transfer-Encoding: binary\r\n\r\n"));
      segments.add(binaries.get(i));
    }
    segments.add(ascii("\r\n--" + boundary + "--\r\n"));
    return new PeerEnvelope(
        "multipart/related; type=\"application/xop+xml\"; start=\"<root@understudy>\"; start-info=\"text/xml\";"
            + " boundary=\"" + boundary + "\"",
        segments);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
