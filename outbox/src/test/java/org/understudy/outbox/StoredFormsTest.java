package org.understudy.outbox;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.URI;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.OutgoingReply;
import org.understudy.soap.envelope.SoapVersion;

/** Encodes and decodes the forms in which the replicated state holds calls, replies, dead letters and sessions. */
class StoredFormsTest {
  private static final StoredCall CALL =
      new StoredCall(
          List.of(URI.create("http://a/x"), URI.create("https://b:1/y?z")), true, SoapVersion.SOAP12, "urn:a", "urn:uuid:1", "r", "tag",
          new byte[] {1, 2, 3});

  @Test
  void callsKeepTheirFields() {
    StoredCall read = StoredCall.decode(CALL.encode());
    assertArrayEquals(CALL.body(), read.body());
    assertEquals(
        List.of(CALL.addresses(), CALL.group(), CALL.version(), CALL.action(), CALL.messageId(), CALL.resource(), CALL.tag()),
        List.of(read.addresses(), read.group(), read.version(), read.action(), read.messageId(), read.resource(), read.tag()));
    assertEquals("group http://a/x https://b:1/y?z", StoredCall.destinationIn(CALL.encode()));
  }

  @Test
  void repliesKeepTheirFields() {
    StoredReply read = StoredReply.decode(new StoredReply(OutgoingReply.Kind.FAULT, new byte[] {4}, "x".repeat(5_000)).encode());
    assertEquals(OutgoingReply.Kind.FAULT, read.kind());
    assertArrayEquals(new byte[] {4}, read.body());
    assertEquals("x".repeat(1_024), read.reason());
  }

  @Test
  void deadLettersKeepTheirFields() {
    assertEquals(new DeadLetter(3, "why"), DeadLetter.decode(new DeadLetter(3, "why").encode()));
  }

  @Test
  void sessionsKeepTheirFields() {
    GroupSession session = new GroupSession("0123", 7);
    assertEquals(session, GroupSession.decode(session.encode()));
    assertEquals(new GroupSession("0123", 8), session.advanced());
  }

  @Test
  void truncatedAndUnknownFormatsAreRejected() {
    byte[] call = CALL.encode();
    assertThrows(IllegalArgumentException.class, () -> StoredCall.decode(Arrays.copyOf(call, 10)));
    assertThrows(IllegalArgumentException.class, () -> StoredCall.destinationIn(new byte[0]));
    for (byte[] bytes : List.of(new byte[0], new byte[] {99, 0, 0})) {
      assertThrows(IllegalArgumentException.class, () -> StoredCall.decode(bytes));
      assertThrows(IllegalArgumentException.class, () -> StoredReply.decode(bytes));
      assertThrows(IllegalArgumentException.class, () -> DeadLetter.decode(bytes));
      assertThrows(IllegalArgumentException.class, () -> GroupSession.decode(bytes));
    }
  }
}
