package org.understudy.channel.jgroups.order;

import java.nio.ByteBuffer;

/**
 * A piece of a batch in its place in a view's order.
 *
 * @param sender the index of its sender among the view's members
 */
record Ordered(long place, int sender, boolean last, byte[] content) {
  /** The encoded size without the content. */
  static final int OVERHEAD_BYTES = Long.BYTES + 2 + Integer.BYTES;

  int bytes() {
    return OVERHEAD_BYTES + content.length;
  }

  void write(ByteBuffer out) {
    out.putLong(place).put((byte) sender).put((byte) (last ? 1 : 0)).putInt(content.length).put(content);
  }

  static Ordered read(ByteBuffer in) {
    long place = in.getLong();
    int sender = in.get();
    boolean last = in.get() == 1;
    int length = in.getInt();
    if (length < 0 || length > in.remaining()) {
      throw new IllegalArgumentException("A piece announces " + length + " bytes.");
    }
    byte[] content = new byte[length];
    in.get(content);
    return new Ordered(place, sender, last, content);
  }
}
