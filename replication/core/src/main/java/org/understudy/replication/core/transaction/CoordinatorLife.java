package org.understudy.replication.core.transaction;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.understudy.replication.core.membership.Recovery;

/**
 * The time for which the state of a coordinator's group has every decision. It begins with a state that is empty, or that an operator's
 * recovery may have shortened. It is part of that state, and its name is part of the ids of transactions that are begun in it: a
 * missing decision is an abort only for those. Immutable.
 *
 * @param name drawn at random by the primary that begins it; without a period
 * @param epoch of the view in which it was drawn
 * @param unnamed whether it includes the transactions without a life, which earlier versions have begun
 */
public record CoordinatorLife(String name, long epoch, boolean unnamed) {
  private static final char END = '.';

  /** Returns the id of a transaction that is begun in this life: a prefix that ends with a colon, the life, and what no other id has. */
  public String id(String prefix, String unique) {
    return prefix + name + END + unique;
  }

  /** Whether a transaction was begun in this life. */
  public boolean includes(String id) {
    return isNamed(id) ? id.startsWith(name + END, id.lastIndexOf(':') + 1) : unnamed;
  }

  /** Whether an id has the name of a life. */
  public static boolean isNamed(String id) {
    return id.indexOf(END, id.lastIndexOf(':') + 1) >= 0;
  }

  /** Returns the end of an id, which no other one has. */
  public static String unique(String id) {
    int begin = id.lastIndexOf(':') + 1;
    return id.substring(Math.max(begin, id.indexOf(END, begin) + 1));
  }

  /** Whether the state of a view of this epoch has everything since the life has begun. */
  public boolean lastsAt(long present) {
    return !Recovery.mayLieBetween(epoch, present);
  }

  /** As part of the replicated state. */
  public byte[] state() {
    byte[] text = name.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(1 + Long.BYTES + text.length).put((byte) (unnamed ? 1 : 0)).putLong(epoch).put(text).array();
  }

  /** Reads what {@link #state} has written. */
  public static CoordinatorLife read(byte[] state) {
    ByteBuffer in = ByteBuffer.wrap(state);
    boolean unnamed = in.get() != 0;
    long epoch = in.getLong();
    byte[] text = new byte[in.remaining()];
    in.get(text);
    return new CoordinatorLife(new String(text, StandardCharsets.UTF_8), epoch, unnamed);
  }
}
