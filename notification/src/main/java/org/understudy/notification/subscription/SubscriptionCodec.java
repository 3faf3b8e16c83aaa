package org.understudy.notification.subscription;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.URI;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.xml.namespace.QName;
import org.understudy.notification.expression.Expression;
import org.understudy.notification.fault.NotificationFault;
import org.understudy.notification.filter.SubscriptionFilter;
import org.understudy.soap.addressing.EndpointReference;
import org.understudy.soap.envelope.SoapVersion;

/**
 * Encodes subscriptions for storage and replication: a version, then the fields in order; texts in the modified UTF-8 of
 * {@link DataOutputStream}. Filters are stored as they were written, so that a later version can interpret them itself, and
 * equal subscriptions give equal bytes.
 */
public final class SubscriptionCodec {
  /** The longest encoding that is read, in bytes. */
  public static final int MAX_BYTES = 512 << 10;

  /** Consumers have an address and parameters; still written for those that have nothing else. */
  private static final int VERSION = 1;
  /** As version 1, followed by the consumer's whole reference as it was written. */
  private static final int VERSION_WRITTEN = 2;
  /** As version 2, with an empty text for no reference, for messages in SOAP 1.2. */
  private static final int VERSION_SOAP12 = 3;
  private static final List<QName> KINDS = List.of(
      SubscriptionFilter.TOPIC_EXPRESSION, SubscriptionFilter.PRODUCER_PROPERTIES, SubscriptionFilter.MESSAGE_CONTENT);

  private SubscriptionCodec() {}

  /** Encodes a subscription. */
  public static byte[] encode(Subscription subscription) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
    Optional<String> written = subscription.consumer().written();
    boolean soap12 = subscription.version() == SoapVersion.SOAP12;
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(soap12 ? VERSION_SOAP12 : written.isPresent() ? VERSION_WRITTEN : VERSION);
      out.writeUTF(subscription.id());
      out.writeUTF(subscription.producer());
      out.writeUTF(subscription.consumer().address().toString());
      out.writeShort(subscription.consumer().referenceParameters().size());
      for (String parameter : subscription.consumer().referenceParameters()) {
        out.writeUTF(parameter);
      }
      if (soap12 || written.isPresent()) {
        out.writeUTF(written.orElse(""));
      }
      out.writeByte(subscription.filters().size());
      for (SubscriptionFilter filter : subscription.filters()) {
        out.writeByte(KINDS.indexOf(filter.element()));
        write(filter.source(), out);
      }
      out.writeBoolean(subscription.raw());
      out.writeBoolean(subscription.paused());
      out.writeLong(subscription.since());
      write(subscription.created(), out);
      out.writeBoolean(subscription.termination().isPresent());
      if (subscription.termination().isPresent()) {
        write(subscription.termination().get(), out);
      }
    } catch (IOException e) {
      throw new IllegalStateException("The subscription " + subscription.id() + " has no encoding.", e);
    }
    return bytes.toByteArray();
  }

  /**
   * Decodes a subscription.
   *
   * @throws IllegalArgumentException when the bytes are invalid or of a later version
   */
  public static Subscription decode(byte[] bytes) {
    if (bytes.length > MAX_BYTES) {
      throw new IllegalArgumentException("A subscription of " + bytes.length + " bytes.");
    }
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      int version = in.readUnsignedByte();
      if (version < VERSION || version > VERSION_SOAP12) {
        throw new IllegalArgumentException(
            "Unknown subscription version " + version + "; the newest known is " + VERSION_SOAP12 + ".");
      }
      Subscription subscription = new Subscription(
          in.readUTF(), in.readUTF(), consumer(in, version), filters(in), in.readBoolean(), in.readBoolean(), in.readLong(),
          instant(in), in.readBoolean() ? Optional.of(instant(in)) : Optional.empty(),
          version == VERSION_SOAP12 ? SoapVersion.SOAP12 : SoapVersion.SOAP11);
      if (in.read() >= 0) {
        throw new IllegalArgumentException("Bytes after the end of a subscription.");
      }
      return subscription;
    } catch (IOException | NotificationFault | DateTimeException e) {
      throw new IllegalArgumentException("The subscription is unreadable: " + e.getMessage(), e);
    }
  }

  private static EndpointReference consumer(DataInputStream in, int version) throws IOException {
    URI address = URI.create(in.readUTF());
    int number = in.readUnsignedShort();
    List<String> parameters = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      parameters.add(in.readUTF());
    }
    Optional<String> written =
        version == VERSION ? Optional.empty() : Optional.of(in.readUTF()).filter(text -> !text.isEmpty());
    return new EndpointReference(address, parameters, written);
  }

  private static List<SubscriptionFilter> filters(DataInputStream in) throws IOException, NotificationFault {
    int number = in.readUnsignedByte();
    List<SubscriptionFilter> filters = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      int kind = in.readUnsignedByte();
      if (kind >= KINDS.size()) {
        throw new IllegalArgumentException("Unknown kind of filter: " + kind + ".");
      }
      filters.add(SubscriptionFilter.of(KINDS.get(kind), expression(in)));
    }
    return filters;
  }

  private static void write(Expression source, DataOutputStream out) throws IOException {
    out.writeUTF(source.dialect());
    out.writeUTF(source.text());
    out.writeByte(source.namespaces().size());
    for (Map.Entry<String, String> prefix : new TreeMap<>(source.namespaces()).entrySet()) {
      out.writeUTF(prefix.getKey());
      out.writeUTF(prefix.getValue());
    }
  }

  private static Expression expression(DataInputStream in) throws IOException {
    String dialect = in.readUTF();
    String text = in.readUTF();
    int number = in.readUnsignedByte();
    Map<String, String> namespaces = new LinkedHashMap<>();
    for (int i = 0; i < number; i++) {
      namespaces.put(in.readUTF(), in.readUTF());
    }
    return new Expression(dialect, text, namespaces);
  }

  private static void write(Instant time, DataOutputStream out) throws IOException {
    out.writeLong(time.getEpochSecond());
    out.writeInt(time.getNano());
  }

  private static Instant instant(DataInputStream in) throws IOException {
    return Instant.ofEpochSecond(in.readLong(), in.readInt());
  }
}
