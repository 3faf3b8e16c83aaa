package org.understudy.channel.jgroups;

import java.io.ByteArrayInputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jgroups.Address;
import org.jgroups.BaseMessage;
import org.jgroups.BytesMessage;
import org.jgroups.EmptyMessage;
import org.jgroups.Header;
import org.jgroups.Message;
import org.jgroups.ObjectMessage;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.FailureDetection;
import org.jgroups.protocols.MERGE3;
import org.jgroups.protocols.PingHeader;
import org.jgroups.protocols.TpHeader;
import org.jgroups.protocols.UnicastHeader3;
import org.jgroups.protocols.VERIFY_SUSPECT2;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.protocols.pbcast.NakAckHeader2;
import org.jgroups.protocols.pbcast.STABLE;
import org.jgroups.util.Digest;
import org.jgroups.util.MutableDigest;
import org.jgroups.util.SeqnoList;
import org.jgroups.util.SizeStreamable;
import org.jgroups.util.Util;

/**
 * Reads the messages that the protocols of {@link Stack} exchange, in the form of JGroups 5.5, and no others.
 *
 * <p>JGroups reads a message before it knows whether a member has sent it. It creates the classes that the message names, in its payload
 * and in headers, and deserialises objects of Java; a protocol also deserialises a payload of bytes with a certain flag. Here a message has
 * bytes, nothing, or one of the objects of JGroups that the protocols send; and headers of these protocols, which contain numbers, names
 * and addresses.
 *
 * <p>JGroups passes a message on that names no cluster, and allocates what a message announces. Here the cluster's name, which only the
 * members know, precedes the content, and memory for that grows as it arrives.
 */
final class PeerMessages {
  private static final int HAS_DESTINATION = 1;
  private static final int HAS_SOURCE = 2;
  /** Allocated before anything has arrived. */
  private static final int FIRST_BYTES = 16 << 10;
  /** NAKACK2 and UNICAST3 ask for half as many messages at most. */
  private static final int MAX_MISSING = 1 << 20;

  /** By JGroups' number of the class. */
  private static final Set<Short> HEADERS =
      Stream.of(
          TpHeader.class, PingHeader.class, MERGE3.MergeHeader.class, FailureDetection.HeartbeatHeader.class,
          VERIFY_SUSPECT2.VerifyHeader.class, NakAckHeader2.class, UnicastHeader3.class, STABLE.StableHeader.class, GMS.GmsHeader.class)
          .map(ClassConfigurator::getMagicNumber).collect(Collectors.toUnmodifiableSet());

  /** What a member lacks, and what it has: payloads of NAKACK2, UNICAST3 and STABLE. */
  private static final short SEQNO_LIST = ClassConfigurator.getMagicNumber(SeqnoList.class);
  private static final Map<Short, Supplier<SizeStreamable>> OBJECTS =
      Map.of(
          SEQNO_LIST, SeqnoList::new,
          ClassConfigurator.getMagicNumber(Digest.class), Digest::new,
          ClassConfigurator.getMagicNumber(MutableDigest.class), MutableDigest::new);

  private final byte[] cluster;

  /** @param cluster the name of the cluster: of messages of other ones, the content is not read */
  PeerMessages(String cluster) {
    this.cluster = cluster.getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Reads one message, from its type on. Blocks until it has arrived.
   *
   * @param share gets the size of the content as it arrives
   * @throws IOException when the bytes end, or are another message; what follows in the stream is undefined then
   */
  Message read(DataInput in, UncheckedBytes.Share share) throws IOException, ClassNotFoundException {
    short type = in.readShort();
    byte parts = in.readByte();
    short flags = in.readShort();
    if ((flags & Message.Flag.SERIALIZED.value()) != 0) {
      throw new IOException("A message with a serialised payload is rejected.");
    }
    Address destination = (parts & HAS_DESTINATION) == 0 ? null : Util.readAddress(in);
    Address source = (parts & HAS_SOURCE) == 0 ? null : Util.readAddress(in);
    Header[] headers = headers(in);
    checkCluster(headers);
    BaseMessage message =
        switch (type) {
          case Message.BYTES_MSG -> bytes(in, share);
          case Message.EMPTY_MSG -> new EmptyMessage();
          case Message.OBJ_MSG -> new ObjectMessage(null, object(in, share));
          default -> throw new IOException("A message of type " + type + " is rejected.");
        };
    message.setDest(destination).setSrc(source).setFlag(flags, false, false);
    message.headers(headers);
    return message;
  }

  private void checkCluster(Header[] headers) throws IOException {
    for (Header header : headers) {
      if (header instanceof TpHeader transport && MessageDigest.isEqual(cluster, transport.clusterName())) {
        return;
      }
    }
    throw new IOException("A message that does not name this cluster is rejected.");
  }

  private static Header[] headers(DataInput in) throws IOException, ClassNotFoundException {
    int count = in.readShort();
    if (count < 0 || count > HEADERS.size()) {
      throw new IOException("A message with " + count + " headers is rejected.");
    }
    Header[] headers = new Header[Math.max(1, count)];
    for (int i = 0; i < count; i++) {
      short protocol = in.readShort();
      short number = in.readShort();
      if (!HEADERS.contains(number)) {
        throw new IOException("A message with a header of type " + number + " is rejected.");
      }
      Header header = ClassConfigurator.create(number);
      header.readFrom(in);
      headers[i] = header.setProtId(protocol);
    }
    return headers;
  }

  private static BytesMessage bytes(DataInput in, UncheckedBytes.Share share) throws IOException {
    BytesMessage message = new BytesMessage();
    int length = in.readInt();
    if (length > Stack.MAX_MESSAGE_BYTES) {
      throw new IOException("A message of " + length + " bytes is rejected.");
    }
    if (length >= 0) {
      message.setArray(arrived(in, length, share), 0, length);
    }
    return message;
  }

  /** Reads as many bytes; allocates at most twice what has arrived. */
  private static byte[] arrived(DataInput in, int length, UncheckedBytes.Share share) throws IOException {
    int size = Math.min(length, FIRST_BYTES);
    share.add(size);
    byte[] bytes = new byte[size];
    in.readFully(bytes);
    while (size < length) {
      int next = (int) Math.min(length, 2L * size);
      share.add(next);
      bytes = Arrays.copyOf(bytes, next);
      share.remove(size);
      in.readFully(bytes, size, next - size);
      size = next;
    }
    return bytes;
  }

  private static SizeStreamable object(DataInput in, UncheckedBytes.Share share) throws IOException, ClassNotFoundException {
    if (in.readByte() == 0) {
      return null;
    }
    short number = in.readShort();
    Supplier<SizeStreamable> known = OBJECTS.get(number);
    if (known == null) {
      throw new IOException("A message with an object of type " + number + " is rejected.");
    }
    SizeStreamable object = known.get();
    object.readFrom(number == SEQNO_LIST ? seqnoList(in, share) : in);
    return object;
  }

  /** The encoded list: its size in numbers, the first one, and a bit for each. */
  private static DataInput seqnoList(DataInput in, UncheckedBytes.Share share) throws IOException {
    int size = in.readInt();
    if (size < 0 || size > MAX_MISSING) {
      throw new IOException("A list of " + size + " missing messages is rejected.");
    }
    int words = (size + Long.SIZE - 1) / Long.SIZE;
    byte[] rest = arrived(in, (1 + words) * Long.BYTES, share);
    return new DataInputStream(
        new ByteArrayInputStream(ByteBuffer.allocate(Integer.BYTES + rest.length).putInt(size).put(rest).array()));
  }
}
