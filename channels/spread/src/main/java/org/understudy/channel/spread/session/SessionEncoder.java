package org.understudy.channel.spread.session;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Encodes what a session sends, in big-endian order. Immutable. */
public final class SessionEncoder {
  /** The longest content of one message to one group. */
  public static final int MAX_CONTENT_BYTES = Protocol.MAX_BODY_BYTES - Protocol.HEADER_BYTES - Protocol.NAME_BYTES;
  /** The bytes in front of the content of a message to one group. */
  public static final int HEAD_BYTES = Protocol.HEADER_BYTES + Protocol.NAME_BYTES;

  private static final int MAX_GROUP_NAME = Protocol.NAME_BYTES - 1;

  private final String privateGroup;

  /** @param privateGroup of the session, as the daemon gave it */
  public SessionEncoder(String privateGroup) {
    this.privateGroup = privateGroup;
  }

  public ByteBuffer join(String group) {
    return head(Protocol.JOIN, checked(group), 0);
  }

  public ByteBuffer leave(String group) {
    return head(Protocol.LEAVE, checked(group), 0);
  }

  /** Ends the session. */
  public ByteBuffer disconnect() {
    return head(Protocol.DISCONNECT, privateGroup, 0);
  }

  /**
   * The head of a message to one group; its content follows.
   *
   * @param contentBytes at most {@link #MAX_CONTENT_BYTES}
   */
  public ByteBuffer multicast(ServiceLevel service, String group, int contentBytes) {
    if (contentBytes < 0 || contentBytes > MAX_CONTENT_BYTES) {
      throw new IllegalArgumentException(
          "A message at a Spread daemon has up to " + MAX_CONTENT_BYTES + " bytes, not " + contentBytes + ".");
    }
    return head(service.bits(), checked(group), contentBytes);
  }

  /** A message without content to this session alone, which the daemon returns in its place in the order. */
  public ByteBuffer toSelf() {
    return head(ServiceLevel.AGREED.bits(), privateGroup, 0);
  }

  private static String checked(String group) {
    Protocol.checkName(group, MAX_GROUP_NAME);
    return group;
  }

  private ByteBuffer head(int type, String group, int contentBytes) {
    ByteBuffer out = ByteBuffer.allocate(HEAD_BYTES).order(ByteOrder.BIG_ENDIAN);
    out.putInt(type);
    Protocol.writeName(out, privateGroup);
    out.putInt(1);
    out.putInt(0);
    out.putInt(contentBytes);
    Protocol.writeName(out, group);
    return out.flip();
  }
}
