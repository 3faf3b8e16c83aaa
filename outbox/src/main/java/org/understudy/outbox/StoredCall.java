package org.understudy.outbox;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.understudy.soap.envelope.SoapVersion;

/**
 * The form of a call in the replicated state.
 *
 * @param addresses of the destination
 * @param group whether these are the replicas of a group
 * @param messageId {@code wsa:MessageID}
 * @param resource the key at which the reply arrives; empty: none
 * @param body one XML element in UTF-8 that declares every prefix it uses
 */
@SuppressWarnings("ArrayRecordComponent")
record StoredCall(
    List<URI> addresses,
    boolean group,
    SoapVersion version,
    String action,
    String messageId,
    String resource,
    String tag,
    byte[] body) {
  StoredCall {
    addresses = List.copyOf(addresses);
  }

  /** Returns the name under which calls are ordered: calls with the same addresses have the same name. */
  String destination() {
    return destination(addresses, group);
  }

  static String destination(List<URI> addresses, boolean group) {
    StringBuilder name = new StringBuilder(group ? "group" : "");
    addresses.forEach(address -> name.append(name.isEmpty() ? "" : " ").append(address));
    return name.toString();
  }

  byte[] encode() {
    return StoredForm.encode("An outgoing call", body.length + 300, out -> {
      out.writeBoolean(group);
      out.writeByte(addresses.size());
      for (URI address : addresses) {
        out.writeUTF(address.toString());
      }
      out.writeBoolean(version == SoapVersion.SOAP12);
      out.writeUTF(action);
      out.writeUTF(messageId);
      out.writeUTF(resource);
      out.writeUTF(tag);
      out.writeInt(body.length);
      out.write(body);
    });
  }

  /** @throws IllegalArgumentException when the format is unknown or the bytes are truncated */
  static StoredCall decode(byte[] bytes) {
    return StoredForm.decode("A stored outgoing call", bytes, in -> {
      boolean group = in.readBoolean();
      return new StoredCall(
          addresses(in), group, in.readBoolean() ? SoapVersion.SOAP12 : SoapVersion.SOAP11, in.readUTF(), in.readUTF(), in.readUTF(),
          in.readUTF(), in.readNBytes(in.readInt()));
    });
  }

  /** Returns the destination of an encoded call without decoding its body. */
  static String destinationIn(byte[] bytes) {
    return StoredForm.decode("A stored outgoing call", bytes, in -> {
      boolean group = in.readBoolean();
      return destination(addresses(in), group);
    });
  }

  private static List<URI> addresses(DataInputStream in) throws IOException {
    List<URI> addresses = new ArrayList<>();
    for (int left = in.readByte(); left > 0; left--) {
      addresses.add(URI.create(in.readUTF()));
    }
    return addresses;
  }
}
