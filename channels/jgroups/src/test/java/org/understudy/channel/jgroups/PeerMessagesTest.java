package org.understudy.channel.jgroups;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.EmptyMessage;
import org.jgroups.LongMessage;
import org.jgroups.Message;
import org.jgroups.ObjectMessage;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.TCP;
import org.jgroups.protocols.TpHeader;
import org.jgroups.protocols.pbcast.NakAckHeader2;
import org.jgroups.util.Digest;
import org.jgroups.util.MutableDigest;
import org.jgroups.util.SeqnoList;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.Test;

/** Messages in the form in which JGroups writes them. */
class PeerMessagesTest {
  private static final UUID ONE = new UUID(1, 2);
  private static final UUID TWO = new UUID(3, 4);
  /** The type, the parts, the flags, a destination, a source, and the number of headers. */
  private static final int EMPTY_BYTES = 2 + 1 + 2 + 17 + 17 + 2;
  /** Of the header with the cluster's name: two numbers, a length, the name and a flag. */
  private static final int CLUSTER_BYTES = 2 + 2 + 2 + 9 + 1;

  private static final String CLUSTER = "a cluster";
  private static final short TRANSPORT = ClassConfigurator.getProtocolId(TCP.class);
  private final UncheckedBytes unchecked = new UncheckedBytes(8 << 20);
  private final PeerMessages messages = new PeerMessages(CLUSTER);

  private static byte[] written(Message message) throws IOException {
    return encoded(message.putHeader(TRANSPORT, new TpHeader(CLUSTER)));
  }

  private static byte[] encoded(Message message) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeShort(message.getType());
    message.setDest(ONE).setSrc(TWO).writeTo(out);
    return bytes.toByteArray();
  }

  private Message read(byte[] bytes) throws IOException, ClassNotFoundException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
    Message message = read(in);
    assertEquals(0, in.available(), "all is read");
    return message;
  }

  private Message read(DataInputStream in) throws IOException, ClassNotFoundException {
    try (UncheckedBytes.Share share = unchecked.open()) {
      return messages.read(in, share);
    }
  }

  @Test
  void messagesOfTheProtocolsAreReadAsJGroupsWritesThem() throws Exception {
    Message bytes = new BytesMessage(null, new byte[] {9, 8, 7}).setFlag(Message.Flag.OOB, Message.Flag.NO_FC);
    Message read = read(written(bytes.putHeader((short) 57, NakAckHeader2.createMessageHeader(4711))));
    assertArrayEquals(new byte[] {9, 8, 7}, read.getPayload());
    assertEquals(List.of(ONE, TWO), List.of(read.getDest(), read.getSrc()));
    assertEquals(bytes.getFlags(false), read.getFlags(false));
    assertEquals(4711, read.<NakAckHeader2>getHeader((short) 57).getSeqno());
    assertFalse(read(written(new BytesMessage())).hasPayload());
    assertTrue(read(written(new EmptyMessage())) instanceof EmptyMessage);

    SeqnoList missing = read(written(new ObjectMessage(null, new SeqnoList(10).add(3)))).getObject();
    assertEquals("(1): {3}", missing.toString());
    Digest digest = new Digest(new Address[] {ONE, TWO}, new long[] {1, 2, 3, 4});
    assertEquals(digest, read(written(new ObjectMessage(null, digest))).getObject());
    Digest changed = new MutableDigest(new Address[] {ONE}).set(ONE, 5, 6);
    assertEquals(changed, read(written(new ObjectMessage(null, changed))).getObject());
  }

  @Test
  void otherMessagesAreRejected() throws Exception {
    byte[] number = written(new LongMessage(null, 4711));
    assertEquals("A message of type 4 is rejected.", assertThrows(IOException.class, () -> read(number)).getMessage());
    byte[] text = written(new ObjectMessage(null, "text").setWrapped(false));
    assertEquals("A message with an object of type 21 is rejected.", assertThrows(IOException.class, () -> read(text)).getMessage());
    byte[] huge = written(new BytesMessage(null, new byte[1]));
    ByteBuffer.wrap(huge).putInt(EMPTY_BYTES + CLUSTER_BYTES, Integer.MAX_VALUE);
    assertEquals(
        "A message of 2147483647 bytes is rejected.", assertThrows(IOException.class, () -> read(huge)).getMessage());
  }

  /** What this thread allocates while it reads what has arrived of a message, before the connection ends. */
  private long allocated(byte[] arrived) {
    com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    assertThrows(IOException.class, () -> read(arrived));
    return threads.getCurrentThreadAllocatedBytes() - before;
  }

  /** Whoever connects can announce a length, and be silent then. */
  @Test
  void memoryGrowsWithWhatHasArrivedAndNotWithWhatIsAnnounced() throws Exception {
    byte[] bytes = written(new BytesMessage(null, new byte[1]));
    ByteBuffer.wrap(bytes).putInt(bytes.length - 5, 60 << 20);
    byte[] numbers = written(new ObjectMessage(null, new SeqnoList(10).add(3)));
    ByteBuffer.wrap(numbers).putInt(numbers.length - 20, 1 << 30);
    allocated(bytes);
    for (byte[] one : List.of(bytes, numbers)) {
      long allocated = allocated(one);
      assertTrue(allocated < 1 << 20, allocated + " bytes");
    }
    byte[] half = Arrays.copyOf(bytes, 1 << 20);
    long allocated = allocated(half);
    assertTrue(allocated < 5L << 20, allocated + " bytes");
  }

  /** Many connections can send bytes of long messages, and never the last ones. */
  @Test
  void contentsThatHaveNotArrivedShareOneBound() throws Exception {
    byte[] large = written(new BytesMessage(null, new byte[3 << 20]));
    assertEquals(3 << 20, read(large).getLength());
    try (UncheckedBytes.Share other = unchecked.open()) {
      other.add(6 << 20);
      String rejected = assertThrows(IOException.class, () -> read(large)).getMessage();
      assertEquals("A message is rejected, because 8388608 bytes of messages are not checked yet.", rejected);
      assertEquals(10, read(written(new BytesMessage(null, new byte[10]))).getLength());
    }
    assertEquals(3 << 20, read(large).getLength());
  }

  /** JGroups passes on what names no cluster. */
  @Test
  void contentOfAnotherClusterIsNotRead() throws Exception {
    for (Message message : List.of(
        new BytesMessage(null, new byte[1 << 20]), new BytesMessage(null, new byte[1 << 20]).putHeader(TRANSPORT, new TpHeader("another")),
        new BytesMessage(null, new byte[1 << 20]).putHeader(TRANSPORT, new TpHeader((byte[]) null)))) {
      byte[] bytes = encoded(message);
      DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
      String rejected = assertThrows(IOException.class, () -> read(in)).getMessage();
      assertEquals("A message that does not name this cluster is rejected.", rejected);
      assertTrue(in.available() > 1 << 20, "the content");
    }
  }

  @Test
  void changedBytesAreReadOrRejected() throws Exception {
    byte[] valid = written(new BytesMessage(null, new byte[50]).putHeader((short) 57, NakAckHeader2.createMessageHeader(4711)));
    Random random = new Random(7);
    int accepted = 0;
    int rejected = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] changed = valid.clone();
      for (int change = random.nextInt(4); change >= 0; change--) {
        // In front of the payload.
        changed[random.nextInt(EMPTY_BYTES + CLUSTER_BYTES)] = (byte) random.nextInt();
      }
      try {
        Message read = read(new DataInputStream(new ByteArrayInputStream(changed, 0, random.nextInt(changed.length))));
        assertTrue(read instanceof BytesMessage || read instanceof EmptyMessage || read instanceof ObjectMessage, read.toString());
        accepted++;
      } catch (IOException | ClassNotFoundException | RuntimeException e) {
        // Rejected; the connection is closed.
        rejected++;
      }
    }
    assertTrue(accepted > 0 && rejected > 0, accepted + " accepted, " + rejected + " rejected");
  }
}
