package org.understudy.broker;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.understudy.soap.addressing.EndpointReference;

/**
 * A subscription that the broker holds at a publisher, as it is kept in the replicated state.
 *
 * @param reference of the publisher's SubscriptionManager
 * @param seconds of its lifetime from each renewal; 0: for ever
 * @param paused whether it is paused at the publisher
 */
record DemandSubscription(EndpointReference reference, long seconds, boolean paused) {
  private static final byte FORMAT = 1;

  DemandSubscription paused(boolean now) {
    return new DemandSubscription(reference, seconds, now);
  }

  byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(FORMAT);
      out.writeUTF(reference.address().toString());
      out.writeInt(reference.referenceParameters().size());
      for (String parameter : reference.referenceParameters()) {
        out.writeUTF(parameter);
      }
      out.writeLong(seconds);
      out.writeBoolean(paused);
    } catch (IOException e) {
      throw new UncheckedIOException("A subscription at a publisher cannot be stored: " + e.getMessage(), e);
    }
    return bytes.toByteArray();
  }

  /** @throws IllegalArgumentException when the format is unknown */
  static DemandSubscription decode(byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      byte format = in.readByte();
      if (format != FORMAT) {
        throw new IllegalArgumentException("A stored subscription has the unknown format " + format + ".");
      }
      URI address = URI.create(in.readUTF());
      List<String> parameters = new ArrayList<>();
      for (int i = in.readInt(); i > 0; i--) {
        parameters.add(in.readUTF());
      }
      return new DemandSubscription(new EndpointReference(address, parameters), in.readLong(), in.readBoolean());
    } catch (IOException e) {
      throw new IllegalArgumentException("A stored subscription is truncated.", e);
    }
  }
}
