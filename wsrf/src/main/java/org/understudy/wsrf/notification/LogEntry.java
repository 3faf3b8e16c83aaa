package org.understudy.wsrf.notification;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import javax.xml.namespace.QName;
import org.understudy.notification.topic.TopicPath;

/**
 * A published message, as it is kept in the replicated state until every subscriber has it.
 *
 * @param producer the key of the resource that published it; empty: the service
 * @param message one XML element in UTF-8 that declares every prefix it uses
 * @param properties the resource property document of the producer at that time, in the same form; null when no
 *     subscription requests it
 * @param origin the original producer of a forwarded message: an element {@code wsnt:ProducerReference} in the same form;
 *     null: this producer
 */
@SuppressWarnings("ArrayRecordComponent")
record LogEntry(String producer, TopicPath topic, byte[] message, byte[] properties, byte[] origin) {
  private static final byte FORMAT = 2;

  byte[] encode() {
    int length = message.length + (properties == null ? 0 : properties.length) + (origin == null ? 0 : origin.length);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(length + 160);
    DataOutputStream out = new DataOutputStream(bytes);
    try {
      out.writeByte(FORMAT);
      out.writeUTF(producer);
      out.writeByte(topic.steps().size());
      for (QName step : topic.steps()) {
        out.writeUTF(step.getNamespaceURI());
        out.writeUTF(step.getLocalPart());
      }
      write(out, message);
      writeIfAny(out, properties);
      writeIfAny(out, origin);
    } catch (IOException e) {
      throw new UncheckedIOException("A notification message cannot be stored: " + e.getMessage(), e);
    }
    return bytes.toByteArray();
  }

  private static void write(DataOutputStream out, byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static void writeIfAny(DataOutputStream out, byte[] bytes) throws IOException {
    out.writeBoolean(bytes != null);
    if (bytes != null) {
      write(out, bytes);
    }
  }

  private static byte[] readIfAny(DataInputStream in) throws IOException {
    return in.readBoolean() ? in.readNBytes(in.readInt()) : null;
  }

  /** @throws IllegalArgumentException when the format is unknown */
  static LogEntry decode(byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      byte format = in.readByte();
      if (format != FORMAT) {
        throw new IllegalArgumentException("A stored notification message has the unknown format " + format + ".");
      }
      String producer = in.readUTF();
      List<QName> steps = new ArrayList<>();
      for (int i = in.readByte(); i > 0; i--) {
        steps.add(new QName(in.readUTF(), in.readUTF()));
      }
      byte[] message = in.readNBytes(in.readInt());
      return new LogEntry(producer, new TopicPath(steps), message, readIfAny(in), readIfAny(in));
    } catch (IOException e) {
      throw new IllegalArgumentException("A stored notification message is truncated.", e);
    }
  }
}
