package org.understudy.channel.spread.session;

import java.nio.ByteBuffer;

/**
 * Identifies one membership of one group. Every member of that membership receives the same identity, and no other membership has it.
 *
 * @param daemon identifies the daemon that formed the daemons' membership
 * @param time when it formed it, in seconds, as an unsigned number
 * @param index counts the group's memberships within that membership of daemons
 */
public record GroupId(int daemon, int time, int index) {
  /** The encoded size. */
  public static final int BYTES = 3 * Integer.BYTES;

  /** Reads an identity in the buffer's byte order. */
  public static GroupId read(ByteBuffer in) {
    return new GroupId(in.getInt(), in.getInt(), in.getInt());
  }

  /** Writes it in the buffer's byte order. */
  public void write(ByteBuffer out) {
    out.putInt(daemon).putInt(time).putInt(index);
  }
}
