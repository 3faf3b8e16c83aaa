package org.understudy.notification.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamWriter2;
import org.understudy.notification.expression.Expression;
import org.understudy.notification.topic.TopicPath;
import org.understudy.soap.addressing.Addressing;
import org.understudy.soap.addressing.EndpointReference;
import org.understudy.soap.xml.Fragment;

/**
 * Renders the envelopes to one consumer in UTF-8, with the constant parts rendered once. A Notify with one message
 * (WS-BaseNotification 1.3, section 3.2), or the message alone (section 4.2, {@code wsnt:UseRaw}). Immutable and
 * thread-safe; about 1 KB for each subscription.
 */
public final class NotifyTemplate {
  private static final String WSA = Addressing.NAMESPACE;
  private static final String WSNT = NotifyNames.NAMESPACE;
  private static final String XMLNS = " xmlns:wsa=\"" + WSA + "\" xmlns:wsnt=\"" + WSNT + "\"";
  private static final byte[] MESSAGE_ID = bytes("<wsa:MessageID>");
  private static final byte[] BODY = bytes("</wsa:MessageID></soap:Header><soap:Body>");
  private static final byte[] NOTIFY = bytes("<wsnt:Notify><wsnt:NotificationMessage>");
  private static final byte[] MESSAGE = bytes("<wsnt:Message>");
  private static final byte[] NOTHING = {};
  private static final byte[] END_NOTIFY = bytes("</wsnt:Message></wsnt:NotificationMessage></wsnt:Notify>");
  private static final byte[] END = bytes("</soap:Body></soap:Envelope>");
  private static final byte[] ALONE = bytes("<wsnt:NotificationMessage" + XMLNS + ">");
  private static final byte[] END_ALONE = bytes("</wsnt:Message></wsnt:NotificationMessage>");
  private static final byte[] NOTIFY_ACTION = action(NotifyNames.NOTIFY_ACTION);

  private final boolean raw;
  private final byte[] header;
  private final byte[] subscriptionReference;

  private NotifyTemplate(boolean raw, byte[] header, byte[] subscriptionReference) {
    this.raw = raw;
    this.header = header;
    this.subscriptionReference = subscriptionReference;
  }

  /**
   * @param consumer its address becomes {@code wsa:To}, its reference parameters become header blocks
   * @param subscription becomes {@code wsnt:SubscriptionReference}
   * @param raw the message alone, without Notify
   * @param soap the namespace of the envelope
   */
  public static NotifyTemplate of(
      EndpointReference consumer, EndpointReference subscription, boolean raw, String soap) {
    byte[] envelope = bytes("<soap:Envelope xmlns:soap=\"" + soap + "\"" + XMLNS + "><soap:Header>");
    byte[] to = Fragment.of(out -> {
      out.writeStartElement("wsa", "To", WSA);
      out.writeCharacters(consumer.address().toString());
      out.writeEndElement();
      out.writeRaw(consumer.headerBlocks());
    });
    return new NotifyTemplate(raw, concatenate(List.of(envelope, to)), reference("SubscriptionReference", subscription));
  }

  /**
   * The common part of every Notify with one message: topic, producer, and the start of {@code wsnt:Message}. Rendered once
   * for each message and shared by all consumers.
   */
  public static byte[] prelude(TopicPath topic, EndpointReference producer) {
    return prelude(topic, reference("ProducerReference", producer));
  }

  /** The same with the producer as an element {@code wsnt:ProducerReference} that declares every prefix it uses. */
  public static byte[] prelude(TopicPath topic, byte[] producerReference) {
    byte[] written = topic.equals(TopicPath.NONE) ? NOTHING : Fragment.of(out -> {
      out.writeStartElement("wsnt", "Topic", WSNT);
      writeTopic(topic, out);
      out.writeEndElement();
    });
    return concatenate(List.of(written, producerReference, MESSAGE));
  }

  /** Whether messages are sent without Notify. */
  public boolean raw() {
    return raw;
  }

  /**
   * An envelope, in consecutive parts; shared parts must not be changed.
   *
   * @param messageId {@code wsa:MessageID}; a retry keeps it
   * @param prelude {@link #prelude}; not used in raw messages
   * @param xml the message itself
   */
  public List<byte[]> envelope(String messageId, byte[] prelude, byte[] xml) {
    byte[] id = bytes(messageId);
    return raw
        ? List.of(header, NOTIFY_ACTION, MESSAGE_ID, id, BODY, xml, END)
        : List.of(
            header, NOTIFY_ACTION, MESSAGE_ID, id, BODY, NOTIFY, subscriptionReference, prelude, xml,
            END_NOTIFY, END);
  }

  /** A stand-alone {@code wsnt:NotificationMessage}, for pull points. */
  public byte[] notificationMessage(byte[] prelude, byte[] xml) {
    return concatenate(List.of(ALONE, subscriptionReference, prelude, xml, END_ALONE));
  }

  /** Joins the parts. */
  public static byte[] concatenate(List<byte[]> parts) {
    int length = 0;
    for (byte[] part : parts) {
      length = Math.addExact(length, part.length);
    }
    byte[] all = new byte[length];
    int at = 0;
    for (byte[] part : parts) {
      System.arraycopy(part, 0, all, at, part.length);
      at += part.length;
    }
    return all;
  }

  private static byte[] reference(String name, EndpointReference to) {
    return Fragment.of(out -> {
      out.writeStartElement("wsnt", name, WSNT);
      to.writeTo(out);
      out.writeEndElement();
    });
  }

  private static void writeTopic(TopicPath topic, XMLStreamWriter2 out) throws XMLStreamException {
    Expression expression = topic.expression();
    for (Map.Entry<String, String> prefix : new TreeMap<>(expression.namespaces()).entrySet()) {
      out.writeNamespace(prefix.getKey(), prefix.getValue());
    }
    out.writeAttribute("Dialect", expression.dialect());
    out.writeCharacters(expression.text());
  }

  private static byte[] action(String uri) {
    return Fragment.of(out -> {
      out.writeStartElement("wsa", "Action", WSA);
      out.writeCharacters(uri);
      out.writeEndElement();
    });
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
