package org.understudy.channel.spread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.understudy.channel.spread.order.GroupNames;
import org.understudy.channel.spread.session.Handshake;
import org.understudy.channel.spread.session.ServiceLevel;
import org.understudy.channel.spread.session.SessionDecoder;
import org.understudy.channel.spread.session.SessionEncoder;
import org.understudy.channel.spread.session.SessionEvent;
import org.understudy.channel.spread.session.SpreadProtocolException;
import org.understudy.replication.api.ReplicaId;

/** The session protocol with the bytes of a real daemon, with parts of them, and with bytes that no daemon sends. */
class HostileDaemonTest {
  private static final String SESSION = "#01EmciYtlx#d1";

  private final SessionDecoder decoder = new SessionDecoder();

  /** What the recorded daemon sent after its handshake. */
  private static byte[] recorded() throws IOException {
    byte[] all = Transcript.recorded().fromDaemon();
    ByteBuffer in = ByteBuffer.wrap(all);
    Handshake handshake = new Handshake("01EmciYtlx");
    assertTrue(handshake.step(in).remaining() == 90, "the choice of a method");
    assertNull(handshake.step(in));
    assertEquals(SESSION, handshake.privateGroup());
    return Arrays.copyOfRange(all, in.position(), all.length);
  }

  private List<String> decode(ByteBuffer in) throws SpreadProtocolException {
    List<String> events = new ArrayList<>();
    for (SessionEvent event = decoder.next(in); event != null; event = decoder.next(in)) {
      events.add(
          event instanceof SessionEvent.Multicast message
              ? message.service() + message.sender() + message.groups() + message.content().remaining()
              : event.toString());
    }
    return events;
  }

  @Test
  void recordedMessagesAreDecodedHoweverTheyArrive() throws Exception {
    byte[] bytes = recorded();
    List<String> whole = decode(ByteBuffer.wrap(bytes));
    assertTrue(whole.stream().anyMatch(event -> event.startsWith("SAFE" + SESSION)), whole.toString());
    assertTrue(whole.stream().anyMatch(event -> event.startsWith("Transitional")), whole.toString());
    assertTrue(whole.stream().anyMatch(event -> event.contains("cause=NETWORK")), whole.toString());
    for (int piece = 1; piece < 200; piece += 13) {
      ByteBuffer in = ByteBuffer.allocate(bytes.length).limit(0);
      List<String> events = new ArrayList<>();
      for (int end = 0; end < bytes.length; ) {
        int from = end;
        end = Math.min(bytes.length, end + piece);
        in.limit(end);
        in.duplicate().position(from).put(bytes, from, end - from);
        events.addAll(decode(in));
      }
      assertEquals(whole, events);
    }
  }

  @Test
  void changedBytesAreDecodedOrRejected() throws Exception {
    byte[] bytes = recorded();
    Random random = new Random(7);
    for (int i = 0; i < 20_000; i++) {
      byte[] changed = bytes.clone();
      for (int change = random.nextInt(4); change >= 0; change--) {
        changed[random.nextInt(changed.length)] = (byte) random.nextInt();
      }
      ByteBuffer in = ByteBuffer.wrap(changed, 0, random.nextInt(changed.length));
      try {
        decode(in);
      } catch (SpreadProtocolException e) {
        assertFalse(e.getMessage().isBlank());
      }
    }
  }

  /** A header with these sizes, in an order of bytes. */
  private static ByteBuffer header(ByteOrder order, int type, int groups, int contentBytes) {
    ByteBuffer header = ByteBuffer.allocate(48).order(order);
    header.putInt(order == ByteOrder.BIG_ENDIAN ? type : type | 0x80000080);
    header.put("#a#b".getBytes(StandardCharsets.US_ASCII)).position(36);
    return header.putInt(groups).putInt(0).putInt(contentBytes).flip();
  }

  @Test
  void announcedSizesBeyondTheBoundAreRejectedBeforeTheyArrive() {
    for (int[] sizes : new int[][] {{-1, 0}, {0, -1}, {1, 300_000}, {9_001, 0}, {Integer.MAX_VALUE, Integer.MAX_VALUE}}) {
      for (ByteOrder order : List.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN)) {
        assertThrows(SpreadProtocolException.class, () -> decoder.next(header(order, 0x10, sizes[0], sizes[1])));
      }
    }
    assertThrows(SpreadProtocolException.class, () -> decoder.next(header(ByteOrder.BIG_ENDIAN, 0x80, 0, 0)), "half a mark");
    assertThrows(SpreadProtocolException.class, () -> decoder.next(header(ByteOrder.BIG_ENDIAN, 0x1100, 0, 0)), "an empty membership");
  }

  @Test
  void handshakeRejectsWhatItCannotUse() {
    for (byte[] answer : List.of(new byte[] {-6}, new byte[] {-9}, new byte[] {127}, new byte[] {4, 'P', 'W', 'R', 'D'})) {
      assertThrows(SpreadProtocolException.class, () -> new Handshake("name").step(ByteBuffer.wrap(answer)));
    }
    assertThrows(IllegalArgumentException.class, () -> new Handshake("longer than ten"));
    assertThrows(IllegalArgumentException.class, () -> new Handshake("a#b"));
    for (byte[] acceptance : List.of(new byte[] {-3}, new byte[] {1, 3, 17, 0, 4}, new byte[] {1, 5, 0, 1, 32})) {
      Handshake handshake = new Handshake("name");
      assertThrows(SpreadProtocolException.class, () -> {
        handshake.step(ByteBuffer.wrap(new byte[] {4, 'N', 'U', 'L', 'L'}));
        handshake.step(ByteBuffer.wrap(acceptance));
      });
    }
  }

  @Test
  void clientSendsNothingThatTheDaemonRejects() {
    SessionEncoder encoder = new SessionEncoder(SESSION);
    assertThrows(IllegalArgumentException.class, () -> encoder.join("a group with spaces"));
    assertThrows(IllegalArgumentException.class, () -> encoder.join("g".repeat(32)));
    int most = SessionEncoder.MAX_CONTENT_BYTES;
    assertEquals(80, encoder.multicast(ServiceLevel.SAFE, "g", most).remaining());
    assertThrows(IllegalArgumentException.class, () -> encoder.multicast(ServiceLevel.SAFE, "g", most + 1));
  }

  @Test
  void regularMessagesOfStrangersAreMulticastsWhateverTheyContain() throws Exception {
    for (int bits : new int[] {0, 0x400000, 0x1100, 0x1000, 0x2000, 0x200}) {
      for (ByteOrder order : List.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN)) {
        ByteBuffer message = ByteBuffer.allocate(48 + 64).put(header(order, 0x10 | bits, 2, 0));
        message.put(new byte[] {'g', 0}).position(80);
        byte[] name = new byte[32];
        Arrays.fill(name, (byte) 0x81);
        SessionEvent event = decoder.next(message.put(name).flip());
        assertEquals("g", ((SessionEvent.Multicast) event).groups().get(0), "bits " + bits);
        assertEquals(0, message.remaining());
      }
    }
  }

  @Test
  void strangerWhoseNameHasTheFormOfASessionsIsNoReplica() {
    GroupNames names = new GroupNames("group", "secret".getBytes(StandardCharsets.UTF_8));
    ReplicaId one = new ReplicaId(1);
    for (String name : List.of("01abcdef==", "01abcdefgh", "01========", "01abcdef$~", "01abc")) {
      assertNull(names.replica("#" + name + "#d1", List.of(one)), name);
    }
    assertEquals(one, names.replica("#" + names.sessionName(one, (short) 7) + "#d1", List.of(one)));
  }
}
