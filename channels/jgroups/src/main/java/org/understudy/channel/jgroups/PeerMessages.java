package org.understudy.channel.jgroups;

import java.io.DataInput;
import java.io.IOException;
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
 */
final class PeerMessages {
  private static final int HAS_DESTINATION = 1;
  private static final int HAS_SOURCE = 2;

  /** By JGroups' number of the class. */
  private static final Set<Short> HEADERS =
      Stream.of(
          TpHeader.class, PingHeader.class, MERGE3.MergeHeader.class, FailureDetection.HeartbeatHeader.class,
          VERIFY_SUSPECT2.VerifyHeader.class, NakAckHeader2.class, UnicastHeader3.class, STABLE.StableHeader.class, GMS.GmsHeader.class)
          .map(ClassConfigurator::getMagicNumber).collect(Collectors.toUnmodifiableSet());

  /** What a member lacks, and what it has: payloads of NAKACK2, UNICAST3 and STABLE. */
  private static final Map<Short, Supplier<SizeStreamable>> OBJECTS =
      Map.of(
          ClassConfigurator.getMagicNumber(SeqnoList.class), SeqnoList::new,
          ClassConfigurator.getMagicNumber(Digest.class), Digest::new,
          ClassConfigurator.getMagicNumber(MutableDigest.class), MutableDigest::new);

  private PeerMessages() {}

  /**
   * Reads one message, from its type on. Blocks until it has arrived.
   *
   * @throws IOException when the bytes end, or are another message; what follows in the stream is undefined then
   */
  static Message read(DataInput in) throws IOException, ClassNotFoundException {
    short type = in.readShort();
    byte parts = in.readByte();
    short flags = in.readShort();
    if ((flags & Message.Flag.SERIALIZED.value()) != 0) {
      throw new IOException("A message with a serialised payload is rejected.");
    }
    Address destination = (parts & HAS_DESTINATION) == 0 ? null : Util.readAddress(in);
    Address source = (parts & HAS_SOURCE) == 0 ? null : Util.readAddress(in);
    Header[] headers = headers(in);
    BaseMessage message =
        switch (type) {
          case Message.BYTES_MSG -> bytes(in);
          case Message.EMPTY_MSG -> new EmptyMessage();
          case Message.OBJ_MSG -> new ObjectMessage(null, object(in));
          default -> throw new IOException("A message of type " + type + " is rejected.");
        };
    message.setDest(destination).setSrc(source).setFlag(flags, false, false);
    message.headers(headers);
    return message;
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

  private static BytesMessage bytes(DataInput in) throws IOException {
    BytesMessage message = new BytesMessage();
    int length = in.readInt();
    if (length > Stack.MAX_MESSAGE_BYTES) {
      throw new IOException("A message of " + length + " bytes is rejected.");
    }
    if (length >= 0) {
      byte[] bytes = new byte[length];
      in.readFully(bytes);
      message.setArray(bytes, 0, length);
    }
    return message;
  }

  private static SizeStreamable object(DataInput in) throws IOException, ClassNotFoundException {
    if (in.readByte() == 0) {
      return null;
    }
    short number = in.readShort();
    Supplier<SizeStreamable> known = OBJECTS.get(number);
    if (known == null) {
      throw new IOException("A message with an object of type " + number + " is rejected.");
    }
    SizeStreamable object = known.get();
    object.readFrom(in);
    return object;
  }
}
