package org.understudy.wsrf.resource;

import java.nio.ByteBuffer;
import java.time.Instant;

/** The termination time of a resource, kept in the replicated state beside the resource. */
public final class TerminationTime {
  /** The prefix of the keys of termination times; the key of the resource follows. */
  public static final String KEYS = "lifetime/";

  private static final int LENGTH = Long.BYTES + Integer.BYTES;

  private TerminationTime() {}

  /** The key under which the time of a resource is kept. */
  public static String key(String resource) {
    return KEYS + resource;
  }

  /** The time of a resource with the transaction's changes; null: the resource has no termination time. */
  public static Instant of(ResourceTransaction transaction, String resource) {
    return read(transaction.state(key(resource)));
  }

  /** Sets the termination time of a resource; null removes it. */
  public static void set(ResourceTransaction transaction, String resource, Instant time) {
    if (time != null) {
      transaction.put(key(resource), bytes(time));
    } else if (transaction.state(key(resource)) != null) {
      transaction.remove(key(resource));
    }
  }

  static byte[] bytes(Instant time) {
    return ByteBuffer.allocate(LENGTH).putLong(time.getEpochSecond()).putInt(time.getNano()).array();
  }

  /** Decodes a time that {@link #set} stored; null for null. */
  public static Instant read(byte[] kept) {
    if (kept == null) {
      return null;
    }
    ByteBuffer in = ByteBuffer.wrap(kept);
    return Instant.ofEpochSecond(in.getLong(), in.getInt());
  }
}
