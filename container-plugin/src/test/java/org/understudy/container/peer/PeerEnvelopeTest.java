package org.understudy.container.peer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.membership.MembershipMessage;
import org.understudy.replication.core.order.OrderMessage;
import org.understudy.replication.core.primarybackup.PrimaryBackup;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.update.Eviction;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.core.update.StateUpdate;
import org.understudy.replication.core.wire.WireVersions;
import org.understudy.replication.runtime.codec.MessageFormat;
import org.understudy.replication.runtime.codec.Slice;

class PeerEnvelopeTest {
  private static final MessageFormat FORMAT =
      new MessageFormat(new PrimaryBackup().messages(), WireVersions.CURRENT);

  private static byte[] bytes(PeerEnvelope envelope) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    envelope.segments().forEach(all::writeBytes);
    assertEquals(envelope.length(), all.size());
    return all.toByteArray();
  }

  private static List<Message> through(PeerEnvelope envelope) throws IOException {
    byte[] bytes = bytes(envelope);
    return PeerEnvelopeReader.read(FORMAT, envelope.contentType(), bytes, bytes.length).messages();
  }

  private static Message update(long index, int stateBytes) {
    byte[] state = new byte[stateBytes];
    new Random(index).nextBytes(state);
    return new OrderMessage.Update(3, index, new StateUpdate(index, Request.Kind.UPDATE, new RequestKey.OfMessageId(5, index), 7, 0,
        "", 5, new Response((byte) 1, state), List.of(new StateChange("r", state)), Eviction.NONE));
  }

  @Test
  void smallMessagesStandInlineAndLargeOnesBeside() throws IOException {
    List<Message> small = List.of(new OrderMessage.Ack(3, 9, true), update(1, 100),
        new MembershipMessage.PreVote(4));
    List<Message> large = List.of(new OrderMessage.Ack(3, 9, true), update(1, 100), update(2, 200_000), update(3, 0));
    for (List<Message> messages : List.of(small, large)) {
      boolean xop = messages == large;
      PeerEnvelope call = PeerEnvelope.deliver("Deliver", "g\"<", 1, 2, messages, new EncodedMessageCache());
      PeerEnvelope notification = PeerEnvelope.notify("http://a/peer", "http://b/peer", messages, new EncodedMessageCache());
      for (PeerEnvelope envelope : List.of(call, notification)) {
        assertEquals(xop, envelope.contentType().startsWith("multipart/related"));
        assertEquals(messages.toString().replaceAll("@[0-9a-f]+", ""),
            through(envelope).toString().replaceAll("@[0-9a-f]+", ""));
      }
    }
  }

  /** For what a thread writes at once, the JDK keeps a direct buffer of that size for it. */
  @Test
  void largeMessagesAreWrittenInSlices() throws IOException {
    PeerEnvelope envelope = PeerEnvelope.deliver("Deliver", "g", 1, 2, List.of(update(2, 3_000_000)), new EncodedMessageCache());
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    int[] longest = new int[1];
    new EnvelopeEntity(envelope).writeTo(new FilterOutputStream(written) {
      @Override
      public void write(byte[] bytes, int offset, int length) {
        longest[0] = Math.max(longest[0], length);
        written.write(bytes, offset, length);
      }
    });
    assertArrayEquals(bytes(envelope), written.toByteArray());
    assertTrue(longest[0] <= Slice.BYTES, longest[0] + " bytes");
  }

  /** A link posts so many at most; the receiver's limits must leave room for them. */
  @Test
  void aFullBatchIsWithinTheReceiversLimits() throws IOException {
    List<Message> messages = new ArrayList<>();
    for (int i = 0; i < 256; i++) {
      messages.add(update(i + 1, i % 2 == 0 ? 2_000 : 10));
    }
    assertEquals(256, through(PeerEnvelope.notify("http://a/peer", "http://b/peer", messages, new EncodedMessageCache())).size());
    assertEquals(256, through(PeerEnvelope.deliver("Deliver", "g", 1, 2, messages, new EncodedMessageCache())).size());
  }

  @Test
  void invalidResponseIsAnIOException() {
    List<Message> messages = List.of(update(1, 50), update(2, 5_000));
    byte[] good = bytes(PeerEnvelope.deliver("Deliver", "g", 1, 2, messages, new EncodedMessageCache()));
    String type = PeerEnvelope.deliver("Deliver", "g", 1, 2, List.of(update(2, 5_000)), new EncodedMessageCache()).contentType();
    Random random = new Random(1);
    for (int i = 0; i < 2_000; i++) {
      byte[] bad = good.clone();
      for (int j = 0; j <= i % 5; j++) {
        bad[random.nextInt(bad.length)] = (byte) random.nextInt(256);
      }
      int length = i % 3 == 0 ? random.nextInt(bad.length) : bad.length;
      String boundary = new String(bad, 2, 45, StandardCharsets.ISO_8859_1).split("\r")[0];
      String own = type.replaceAll("boundary=.*", "boundary=\"") + boundary + "\"";
      try {
        PeerEnvelopeReader.read(FORMAT, i % 7 == 0 ? null : own, bad, length);
      } catch (IOException expected) {
        // This is how it refuses.
      }
    }
    assertThrows(IOException.class, () -> PeerEnvelopeReader.read(FORMAT, "multipart/related", good, good.length));
    byte[] doctype = "<!DOCTYPE a []><a/>".getBytes(StandardCharsets.UTF_8);
    assertThrows(IOException.class, () -> PeerEnvelopeReader.read(FORMAT, "text/xml", doctype, doctype.length));
    assertTrue(good.length > 5_000);
  }
}
