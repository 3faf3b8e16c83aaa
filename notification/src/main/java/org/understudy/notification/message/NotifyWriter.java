package org.understudy.notification.message;

import com.ctc.wstx.api.WstxOutputProperties;
import com.ctc.wstx.stax.WstxOutputFactory;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamWriter2;
import org.understudy.notification.addressing.Addressing;
import org.understudy.notification.addressing.EndpointReference;
import org.understudy.notification.topic.TopicDialect;
import org.understudy.notification.topic.TopicPath;

/**
 * Writes Notify messages to one consumer: SOAP 1.1 envelopes in UTF-8 (WS-BaseNotification 1.3, section 3.2). Immutable and
 * thread-safe; make one for each consumer and keep it.
 *
 * <pre>{@code
 * try (NotifyWriter.Envelope envelope = writer.open(out, NotifyWriter.newMessageId())) {
 *   envelope.message(topic, content -> content.writeEmptyElement("tick"));
 * }
 * }</pre>
 */
public final class NotifyWriter {
  private static final String SOAP = "http://schemas.xmlsoap.org/soap/envelope/";
  private static final String WSA = Addressing.NAMESPACE;
  private static final String WSNT = NotifyNames.NAMESPACE;
  private static final WstxOutputFactory FACTORY = factory();

  private final String to;
  private final String producer;
  private final String subscription;
  private final List<String> headerBlocks;

  private NotifyWriter(String to, String producer, String subscription, List<String> headerBlocks) {
    this.to = to;
    this.producer = producer;
    this.subscription = subscription;
    this.headerBlocks = headerBlocks;
  }

  private static WstxOutputFactory factory() {
    WstxOutputFactory factory = new WstxOutputFactory();
    factory.setProperty(XMLOutputFactory.IS_REPAIRING_NAMESPACES, false);
    factory.setProperty(WstxOutputProperties.P_OUTPUT_VALIDATE_STRUCTURE, false);
    factory.setProperty(WstxOutputProperties.P_OUTPUT_VALIDATE_NAMES, false);
    factory.setProperty(WstxOutputProperties.P_OUTPUT_VALIDATE_ATTR, false);
    return factory;
  }

  /**
   * A writer of messages to a consumer.
   *
   * @param consumer its address becomes {@code wsa:To}, its reference parameters become header blocks
   * @param producer becomes {@code wsnt:ProducerReference}
   */
  public static NotifyWriter of(EndpointReference consumer, URI producer) {
    return new NotifyWriter(
        consumer.address().toString(), producer.toString(), null, consumer.referenceParameters());
  }

  /**
   * The same writer, with header blocks of the caller's before the message.
   *
   * @param blocks complete XML elements that declare every prefix they use
   */
  public NotifyWriter withHeaderBlocks(List<String> blocks) {
    List<String> all = new ArrayList<>(headerBlocks);
    all.addAll(blocks);
    return new NotifyWriter(to, producer, subscription, List.copyOf(all));
  }

  /**
   * The same writer, with a {@code wsnt:SubscriptionReference} in each message.
   *
   * @param address where the subscription is managed
   */
  public NotifyWriter forSubscription(URI address) {
    return new NotifyWriter(to, producer, address.toString(), headerBlocks);
  }

  /** A fresh {@code urn:uuid:}. Unique, but not secret. Does not block. */
  public static String newMessageId() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    return "urn:uuid:" + new UUID(random.nextLong() & ~0xF000L | 0x4000L, random.nextLong() >>> 2 | 1L << 63);
  }

  /**
   * Starts an envelope. Blocks only if the stream does; a ByteArrayOutputStream never does.
   *
   * @param out gets the bytes; is flushed at the end, not closed
   * @param messageId {@code wsa:MessageID}; a message that is sent again keeps it
   * @throws XMLStreamException when the stream fails
   */
  public Envelope open(OutputStream out, String messageId) throws XMLStreamException {
    XMLStreamWriter2 xml = (XMLStreamWriter2) FACTORY.createXMLStreamWriter(out, "UTF-8");
    xml.writeStartElement("soap", "Envelope", SOAP);
    xml.writeNamespace("soap", SOAP);
    xml.writeNamespace("wsa", WSA);
    xml.writeNamespace("wsnt", WSNT);
    xml.writeStartElement("soap", "Header", SOAP);
    addressing(xml, "To", to);
    addressing(xml, "Action", NotifyNames.NOTIFY_ACTION);
    addressing(xml, "MessageID", messageId);
    for (String block : headerBlocks) {
      xml.writeRaw(block);
    }
    xml.writeEndElement();
    xml.writeStartElement("soap", "Body", SOAP);
    xml.writeStartElement("wsnt", "Notify", WSNT);
    return new Envelope(xml, out, producer, subscription);
  }

  private static void addressing(XMLStreamWriter2 xml, String name, String value) throws XMLStreamException {
    xml.writeStartElement("wsa", name, WSA);
    xml.writeCharacters(value);
    xml.writeEndElement();
  }

  /** An envelope being written, by one thread. It holds one message at least, or it is not valid. */
  public static final class Envelope implements AutoCloseable {
    private final XMLStreamWriter2 xml;
    private final OutputStream out;
    private final String producer;
    private final String subscription;

    private Envelope(XMLStreamWriter2 xml, OutputStream out, String producer, String subscription) {
      this.xml = xml;
      this.out = out;
      this.producer = producer;
      this.subscription = subscription;
    }

    /**
     * Adds a message.
     *
     * @param content writes the element inside {@code wsnt:Message}
     */
    public void message(TopicPath topic, MessageContent content) throws XMLStreamException {
      start(topic);
      content.writeTo(xml);
      end();
    }

    /**
     * Adds a message that is XML already. The bytes are copied to the stream unread.
     *
     * @param content one element in UTF-8 that declares every prefix it uses, without XML declaration
     * @throws XMLStreamException also when the stream fails
     */
    public void message(TopicPath topic, byte[] content) throws XMLStreamException {
      start(topic);
      // Closes the start tag, so that the bytes come after it.
      xml.writeCharacters("");
      xml.flush();
      try {
        out.write(content);
      } catch (IOException e) {
        throw new XMLStreamException(e);
      }
      end();
    }

    private void start(TopicPath topic) throws XMLStreamException {
      xml.writeStartElement("wsnt", "NotificationMessage", WSNT);
      if (subscription != null) {
        reference("SubscriptionReference", subscription);
      }
      xml.writeStartElement("wsnt", "Topic", WSNT);
      topic(topic);
      xml.writeEndElement();
      reference("ProducerReference", producer);
      xml.writeStartElement("wsnt", "Message", WSNT);
    }

    private void topic(TopicPath topic) throws XMLStreamException {
      List<QName> steps = topic.steps();
      StringBuilder text = new StringBuilder(48);
      for (int i = 0; i < steps.size(); i++) {
        QName step = steps.get(i);
        text.append(i == 0 ? "" : "/");
        if (!step.getNamespaceURI().isEmpty()) {
          // A prefix for each step that needs one: simpler than to share, and rarely more than the root's.
          String prefix = "t" + i;
          xml.writeNamespace(prefix, step.getNamespaceURI());
          text.append(prefix).append(':');
        }
        text.append(step.getLocalPart());
      }
      xml.writeAttribute("Dialect", TopicDialect.CONCRETE.uri());
      xml.writeCharacters(text.toString());
    }

    private void reference(String name, String address) throws XMLStreamException {
      xml.writeStartElement("wsnt", name, WSNT);
      addressing(xml, "Address", address);
      xml.writeEndElement();
    }

    private void end() throws XMLStreamException {
      xml.writeEndElement();
      xml.writeEndElement();
    }

    /** Ends the envelope and flushes the stream. */
    @Override
    public void close() throws XMLStreamException {
      xml.writeEndDocument();
      xml.close();
    }
  }
}
