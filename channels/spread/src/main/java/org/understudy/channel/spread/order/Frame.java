package org.understudy.channel.spread.order;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import org.understudy.channel.spread.session.GroupId;

/**
 * The content of one Spread message: a piece of a batch of encoded messages, or all of it.
 *
 * @param view the membership in which it is sent; it counts in no other
 * @param number counts the frames of its session in that membership, from 1
 * @param last whether the batch ends with it
 * @param content of the batch
 */
record Frame(GroupId view, long number, boolean last, ByteBuffer content) {
  /** Form, last, view, number. */
  static final int HEAD_BYTES = 2 + GroupId.BYTES + Long.BYTES;
  /** All but the content. */
  static final int OVERHEAD_BYTES = HEAD_BYTES + GroupNames.TAG_BYTES;

  private static final byte FORM = 1;

  /** The frame in order: head, content, tag. */
  ByteBuffer[] encode(GroupNames names, String session) {
    ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES).put(FORM).put((byte) (last ? 1 : 0));
    view.write(head);
    head.putLong(number).flip();
    return new ByteBuffer[] {head, content, ByteBuffer.wrap(names.tag(session, head, content))};
  }

  /** Decodes a frame; null when this session did not send it. */
  static Frame decode(GroupNames names, String session, ByteBuffer bytes) {
    if (bytes.remaining() < OVERHEAD_BYTES) {
      return null;
    }
    ByteBuffer sealed = bytes.duplicate();
    sealed.limit(bytes.limit() - GroupNames.TAG_BYTES);
    byte[] tag = new byte[GroupNames.TAG_BYTES];
    bytes.duplicate().position(sealed.limit()).get(tag);
    if (!MessageDigest.isEqual(names.tag(session, sealed), tag) || sealed.get() != FORM) {
      return null;
    }
    boolean last = sealed.get() == 1;
    GroupId view = GroupId.read(sealed);
    return new Frame(view, sealed.getLong(), last, sealed.slice());
  }
}
