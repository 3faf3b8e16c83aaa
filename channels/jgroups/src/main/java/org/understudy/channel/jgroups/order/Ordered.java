package org.understudy.channel.jgroups.order;

import java.nio.ByteBuffer;

/**
 * A piece of a batch in its place in a view's order.
 *
 * @param sender the index of its sender among the view's members
 * @param batch the number of its batch in the life of its sender
 */
record Ordered(long place, int sender, long batch, boolean last, byte[] content) {
  /** The encoded size without the content. */
  static final int OVERHEAD_BYTES = 2 * Long.BYTES + 2 + Integer.BYTES;

  Ordered at(long next) {
    return new Ordered(next, sender, batch, last, content);
  }

  int bytes() {
    return OVERHEAD_BYTES + content.length;
  }

  void write(ByteBuffer out) {
    out.putLong(place).put((byte) sender).putLong(batch).put((byte) (last ? 1 : 0)).putInt(content.length).put(content);
  }

  static Ordered read(ByteBuffer in) {
    long place = in.getLong();
    int sender = in.get();
    long batch = in.getLong();
    boolean last = in.get() == 1;
    int length = in.getInt();
    if (length < 0 || length > in.remaining()) {
      throw new IllegalArgumentException("A piece announces " + length + " bytes.");
    }
    byte[] content = new byte[length];
    in.get(content);
    return new Ordered(place, sender, batch, last, content);
  }
}
