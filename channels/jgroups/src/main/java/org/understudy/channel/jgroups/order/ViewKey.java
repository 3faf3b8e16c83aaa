package org.understudy.channel.jgroups.order;

import java.nio.ByteBuffer;

/**
 * Identifies a view of the transport.
 *
 * @param high of the identity of the member that made it
 * @param low of that identity
 * @param number of the view
 */
public record ViewKey(long high, long low, long number) {
  /** The encoded size. */
  static final int BYTES = 3 * Long.BYTES;
  /** No view: a replica that has not been a member. */
  static final ViewKey NONE = new ViewKey(0, 0, 0);

  static ViewKey read(ByteBuffer in) {
    return new ViewKey(in.getLong(), in.getLong(), in.getLong());
  }

  void write(ByteBuffer out) {
    out.putLong(high).putLong(low).putLong(number);
  }
}
