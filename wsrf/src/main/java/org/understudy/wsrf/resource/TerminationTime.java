package org.understudy.wsrf.resource;

import java.nio.ByteBuffer;
import java.time.Instant;

/** When a resource is to end, as kept in the replicated state beside it. */
public final class TerminationTime {
  /** At the beginning of the keys under which the times are kept; the key of the resource follows. */
  public static final String KEYS = "lifetime/";

  private static final int LENGTH = Long.BYTES + Integer.BYTES;

  private TerminationTime() {}

  /** Where the time of a resource is kept. */
  public static String key(String resource) {
    return KEYS + resource;
  }

  /** The time of a resource as a visit sees it; null: it does not end by itself. */
  public static Instant of(ResourceTransaction visit, String resource) {
    return read(visit.state(key(resource)));
  }

  /** Sets when a resource ends; null: not by itself. */
  public static void set(ResourceTransaction visit, String resource, Instant time) {
    if (time != null) {
      visit.put(key(resource), bytes(time));
    } else if (visit.state(key(resource)) != null) {
      visit.remove(key(resource));
    }
  }

  static byte[] bytes(Instant time) {
    return ByteBuffer.allocate(LENGTH).putLong(time.getEpochSecond()).putInt(time.getNano()).array();
  }

  /** Reads what {@link #set} kept; null for null. */
  public static Instant read(byte[] kept) {
    if (kept == null) {
      return null;
    }
    ByteBuffer in = ByteBuffer.wrap(kept);
    return Instant.ofEpochSecond(in.getLong(), in.getInt());
  }
}
