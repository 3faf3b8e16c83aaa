package org.understudy.replication.runtime.socket;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.runtime.handshake.Acceptor;
import org.understudy.replication.runtime.handshake.Credentials;
import org.understudy.replication.runtime.handshake.Dialer;
import org.understudy.replication.runtime.handshake.FrameSeal;
import org.understudy.replication.runtime.handshake.GroupDescription;
import org.understudy.replication.runtime.handshake.PeerSession;
import org.understudy.replication.runtime.handshake.RefusedPeerException;

/** For every fragmentation of the stream, the frames are read as sent, or the reader refuses them. */
class FrameReaderTest {
  private static final int MAX_FRAME = 1 << 20;

  private PeerSession sender;
  private PeerSession receiver;

  @BeforeEach
  void shakeHands() throws IOException {
    Dialer dialer = new Dialer(credentials(1), new ReplicaId(2));
    Acceptor acceptor = new Acceptor(credentials(2));
    byte[] answer = acceptor.answer(dialer.confirm(acceptor.reply(dialer.hello())));
    sender = dialer.complete(answer);
    receiver = acceptor.complete();
  }

  private static Credentials credentials(int self) {
    Map<ReplicaId, String> list = Map.of(new ReplicaId(1), "a", new ReplicaId(2), "b");
    return new Credentials(
        new ReplicaId(self), new GroupDescription("g", "primary-backup", list, list), "a secret of two".getBytes(StandardCharsets.UTF_8));
  }

  private byte[] frame(byte[] content) {
    return frame(content, false);
  }

  private byte[] frame(byte[] content, boolean mark) {
    ByteBuffer frame = ByteBuffer.allocate(4 + content.length + FrameSeal.TAG_BYTES);
    frame.putInt(mark ? Frame.MARK | content.length : content.length).put(content);
    sender.outgoingContent().update(content, 0, content.length);
    sender.outgoing().seal(sender.outgoingContent().digest(), mark, frame.array(), 4 + content.length);
    return frame.array();
  }

  private static byte[] joined(byte[] one, byte[] two) {
    return ByteBuffer.allocate(one.length + two.length).put(one).put(two).array();
  }

  private static byte[] content(int bytes, int seed) {
    byte[] content = new byte[bytes];
    new Random(seed).nextBytes(content);
    return content;
  }

  private FrameReader reader(byte[] stream) {
    return new FrameReader(new ByteArrayInputStream(stream), MAX_FRAME, receiver);
  }

  private static void assertNext(byte[] expected, FrameReader reader) throws IOException {
    assertTrue(reader.next());
    assertArrayEquals(
        expected, Arrays.copyOfRange(reader.bytes(), reader.offset(), reader.offset() + reader.length()));
  }

  /** A stream that arrives in pieces of random sizes. */
  private static InputStream pieces(byte[] stream, Random random, int most) {
    return new ByteArrayInputStream(stream) {
      @Override
      public synchronized int read(byte[] target, int offset, int length) {
        return super.read(target, offset, Math.min(length, 1 + random.nextInt(most)));
      }
    };
  }

  @Test
  void framesAreReadInPiecesOfAnySize() throws IOException {
    int[] sizes = {0, 1, 3, 4, 20, 0, 65_516, 65_532, 65_536, 7, 65_537, 200_000, 16, MAX_FRAME, 0, 5};
    List<byte[]> contents = new ArrayList<>();
    for (int size : sizes) {
      contents.add(content(size, size));
    }
    for (int most : new int[] {1, 5, 1_000, 65_536, 1 << 22}) {
      shakeHands();
      ByteArrayOutputStream stream = new ByteArrayOutputStream();
      for (byte[] content : contents) {
        stream.write(frame(content));
      }
      FrameReader reader = new FrameReader(pieces(stream.toByteArray(), new Random(most), most), MAX_FRAME, receiver);
      for (byte[] content : contents) {
        assertNext(content, reader);
      }
      assertFalse(reader.next(), "the stream has ended");
      assertFalse(reader.next(), "and has ended for good");
    }
  }

  @Test
  void markIsReadAndAuthenticated() throws IOException {
    byte[] content = content(50, 1);
    byte[] marked = frame(content, true);
    byte[] plain = frame(content, false);
    FrameReader reader = reader(joined(marked, plain));
    assertNext(content, reader);
    assertTrue(reader.isAsking());
    assertNext(content, reader);
    assertFalse(reader.isAsking());
    for (boolean mark : new boolean[] {true, false}) {
      byte[] flipped = frame(content, mark);
      flipped[0] ^= (byte) 0x80;
      assertThrows(RefusedPeerException.class, reader(flipped)::next);
    }
  }

  @Test
  void lengthAboveTheLimitIsRefusedBeforeAllocation() {
    for (int length : new int[] {MAX_FRAME + 1, Integer.MAX_VALUE, -1, Frame.MARK | MAX_FRAME + 1}) {
      FrameReader reader = reader(ByteBuffer.allocate(100).putInt(length).array());
      IOException refused = assertThrows(IOException.class, reader::next);
      assertTrue(refused.getMessage().contains(Integer.toString(length & Frame.MAX_BYTES)), refused.getMessage());
      assertTrue(reader.bytes().length < MAX_FRAME, "what is announced only is not allocated");
    }
  }

  @Test
  void announcedBytesAreAllocatedOnlyWhenTheyArrive() {
    byte[] stream = ByteBuffer.allocate(100_000).putInt(MAX_FRAME).array();
    FrameReader reader = reader(stream);
    assertThrows(IOException.class, reader::next);
    assertTrue(reader.bytes().length <= 2 * stream.length, reader.bytes().length + " bytes");
  }

  @Test
  void truncatedFrameIsRefused() throws IOException {
    byte[] whole = frame(content(50, 1));
    for (int length = 4; length < whole.length; length++) {
      FrameReader reader = reader(Arrays.copyOf(whole, length));
      IOException cut = assertThrows(IOException.class, reader::next, length + " bytes");
      assertFalse(cut instanceof RefusedPeerException, "a lost connection is no forgery");
    }
  }

  @Test
  void everyFlippedBitIsDetected() throws IOException {
    byte[] content = content(20, 2);
    int bytes = frame(content).length;
    for (int bit = 0; bit < 8 * bytes; bit++) {
      shakeHands();
      byte[] altered = frame(content);
      altered[bit / 8] ^= (byte) (1 << bit % 8);
      FrameReader reader = reader(altered);
      assertThrows(IOException.class, reader::next, "bit " + bit);
    }
  }

  @Test
  void replayedReorderedOrMissingFramesAreDetected() throws IOException {
    int[][] orders = {{0, 0}, {1, 0}, {0, 2}, {0, 1, 1}, {2}};
    for (int[] order : orders) {
      shakeHands();
      byte[][] frames = {frame(content(10, 0)), frame(content(10, 1)), frame(content(10, 2))};
      ByteArrayOutputStream stream = new ByteArrayOutputStream();
      for (int each : order) {
        stream.write(frames[each]);
      }
      FrameReader reader = reader(stream.toByteArray());
      for (int i = 0; i < order.length && order[i] == i; i++) {
        assertTrue(reader.next());
      }
      IOException forged = assertThrows(IOException.class, reader::next, Arrays.toString(order));
      assertEquals(
          RefusedPeerException.Reason.FORGED, assertInstanceOf(RefusedPeerException.class, forged).reason());
    }
  }
}
