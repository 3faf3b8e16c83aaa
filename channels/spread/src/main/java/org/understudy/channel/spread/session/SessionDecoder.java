package org.understudy.channel.spread.session;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Decodes what a daemon sends after the handshake. A pure function of the bytes: it keeps nothing between two calls, and allocates only
 * names that have arrived.
 */
public final class SessionDecoder {
  /** A buffer of this size holds every valid message. */
  public static final int MAX_MESSAGE_BYTES = Protocol.HEADER_BYTES + 2 * Protocol.MAX_BODY_BYTES;

  private static final int OLD_TYPE_BYTES = Integer.BYTES;
  /** Identity, number of sets, offset of this session's set. */
  private static final int MEMBERSHIP_BYTES = GroupId.BYTES + 2 * Integer.BYTES;

  /**
   * Consumes one message.
   *
   * @param in positioned at the beginning of a message; its position moves only when a whole message has arrived
   * @return null when more bytes are required
   * @throws SpreadProtocolException when the bytes are no message; the session must be closed
   */
  public SessionEvent next(ByteBuffer in) throws SpreadProtocolException {
    if (in.remaining() < Protocol.HEADER_BYTES) {
      return null;
    }
    ByteBuffer message = in.duplicate();
    int type = type(message);
    String name = Protocol.readName(message);
    int groups = message.getInt();
    message.getInt();
    int contentBytes = message.getInt();
    boolean regular = (type & Protocol.ANY_REGULAR) != 0;
    boolean rejected = !regular && (type & Protocol.REJECTED) != 0;
    long body = (rejected ? OLD_TYPE_BYTES : 0) + (long) groups * Protocol.NAME_BYTES + contentBytes;
    if (groups < 0 || contentBytes < 0 || body > 2L * Protocol.MAX_BODY_BYTES) {
      throw new SpreadProtocolException("the daemon announces " + groups + " groups and " + contentBytes + " bytes");
    }
    if (message.remaining() < body) {
      return null;
    }
    message.limit(message.position() + (int) body);
    if (rejected) {
      message.getInt();
    }
    List<String> names = names(message, groups);
    SessionEvent event = event(type, name, names, message);
    in.position(message.limit());
    return event;
  }

  /** Reads the type and sets the byte order that it names. */
  private static int type(ByteBuffer message) throws SpreadProtocolException {
    int marks = message.order(ByteOrder.BIG_ENDIAN).getInt(message.position()) & Protocol.LITTLE_ENDIAN;
    if (marks == Protocol.LITTLE_ENDIAN) {
      message.order(ByteOrder.LITTLE_ENDIAN);
    } else if (marks != 0) {
      throw new SpreadProtocolException("the daemon sent a message in an unknown byte order");
    }
    return message.getInt() & ~Protocol.LITTLE_ENDIAN;
  }

  private static SessionEvent event(int type, String name, List<String> names, ByteBuffer content) throws SpreadProtocolException {
    // First, because daemons pass on any other bits that the sender of a regular message has set.
    if ((type & Protocol.ANY_REGULAR) != 0) {
      return new SessionEvent.Multicast(service(type & Protocol.ANY_REGULAR), name, names, content.slice());
    }
    if ((type & Protocol.REJECTED) != 0) {
      return new SessionEvent.Rejected(names);
    }
    if ((type & Protocol.REGULAR_MEMBERSHIP) != 0) {
      return membership(type, name, names, content);
    }
    if ((type & Protocol.TRANSITIONAL) != 0) {
      return new SessionEvent.Transitional(name, groupId(content));
    }
    if ((type & Protocol.CAUSED_BY_LEAVE) != 0) {
      return new SessionEvent.Left(name);
    }
    throw new SpreadProtocolException("the daemon sent a message of the unknown type " + Integer.toHexString(type));
  }

  private static ServiceLevel service(int bits) {
    for (ServiceLevel level : ServiceLevel.values()) {
      if (level.bits() == bits) {
        return level;
      }
    }
    return null;
  }

  private static SessionEvent membership(int type, String group, List<String> members, ByteBuffer content) throws SpreadProtocolException {
    if (content.remaining() < MEMBERSHIP_BYTES) {
      throw tooShort();
    }
    GroupId id = GroupId.read(content);
    int sets = content.getInt();
    int own = content.getInt();
    if (sets < 1 || own < 0 || own > content.remaining() - Integer.BYTES) {
      throw new SpreadProtocolException("the daemon sent a membership of " + sets + " sets, this session's at byte " + own);
    }
    content.position(content.position() + own);
    int count = content.getInt();
    if (count < 0 || count > content.remaining() / Protocol.NAME_BYTES) {
      throw tooShort();
    }
    return new SessionEvent.Membership(group, id, members, cause(type), names(content, count));
  }

  private static SessionEvent.Cause cause(int type) throws SpreadProtocolException {
    int cause =
        type
            & (Protocol.CAUSED_BY_JOIN | Protocol.CAUSED_BY_LEAVE | Protocol.CAUSED_BY_DISCONNECT | Protocol.CAUSED_BY_NETWORK);
    return switch (cause) {
      case Protocol.CAUSED_BY_JOIN -> SessionEvent.Cause.JOIN;
      case Protocol.CAUSED_BY_LEAVE -> SessionEvent.Cause.LEAVE;
      case Protocol.CAUSED_BY_DISCONNECT -> SessionEvent.Cause.DISCONNECT;
      case Protocol.CAUSED_BY_NETWORK -> SessionEvent.Cause.NETWORK;
      default -> throw new SpreadProtocolException("the daemon sent a membership with the causes " + Integer.toHexString(cause));
    };
  }

  private static GroupId groupId(ByteBuffer content) throws SpreadProtocolException {
    if (content.remaining() < GroupId.BYTES) {
      throw tooShort();
    }
    return GroupId.read(content);
  }

  private static List<String> names(ByteBuffer in, int count) {
    List<String> names = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      names.add(Protocol.readName(in));
    }
    return List.copyOf(names);
  }

  private static SpreadProtocolException tooShort() {
    return new SpreadProtocolException("the daemon sent a membership that ends too early");
  }
}
