package org.understudy.wsrf.resource;

import java.nio.ByteBuffer;
import java.time.Instant;

/**
 * The termination time of a resource, kept in the replicated state beside the resource: the time that clients are told, and the time at
 * which the resource ends by the group's counted clock. The two differ by as much as the group's clocks did when it was set; which
 * replica's clock is wrong later, or set, makes no difference.
 */
public final class TerminationTime {
  /** The prefix of the keys of termination times; the key of the resource follows. */
  public static final String KEYS = "lifetime/";

  private static final int LENGTH = Long.BYTES + Integer.BYTES;
  private static final int WITH_DEADLINE = 2 * LENGTH;

  private TerminationTime() {}

  /** The key under which the time of a resource is kept. */
  public static String key(String resource) {
    return KEYS + resource;
  }

  /** The time of a resource with the transaction's changes; null: the resource has no termination time. */
  public static Instant of(ResourceTransaction transaction, String resource) {
    return read(transaction.state(key(resource)));
  }

  /** Whether the time of a resource has come, by the counted clock. */
  public static boolean isDue(ResourceTransaction transaction, String resource, Instant counted) {
    Instant deadline = deadline(transaction.state(key(resource)));
    return deadline != null && !deadline.isAfter(counted);
  }

  /** Sets the termination time of a resource; null removes it. */
  public static void set(ResourceTransaction transaction, String resource, Instant time) {
    if (time != null) {
      transaction.put(key(resource), bytes(time, transaction.deadline(time)));
    } else if (transaction.state(key(resource)) != null) {
      transaction.remove(key(resource));
    }
  }

  static byte[] bytes(Instant time, Instant deadline) {
    ByteBuffer out = ByteBuffer.allocate(WITH_DEADLINE);
    write(time, out);
    write(deadline, out);
    return out.array();
  }

  private static void write(Instant time, ByteBuffer out) {
    out.putLong(time.getEpochSecond()).putInt(time.getNano());
  }

  /** Decodes the time for clients that {@link #set} stored; null for null. */
  public static Instant read(byte[] kept) {
    return kept == null ? null : read(ByteBuffer.wrap(kept));
  }

  /** Decodes the time by the counted clock that {@link #set} stored; null for null. */
  public static Instant deadline(byte[] kept) {
    if (kept == null) {
      return null;
    }
    // Builds before the counted clock stored one time only.
    return read(ByteBuffer.wrap(kept).position(kept.length < WITH_DEADLINE ? 0 : LENGTH));
  }

  private static Instant read(ByteBuffer in) {
    return Instant.ofEpochSecond(in.getLong(), in.getInt());
  }
}
