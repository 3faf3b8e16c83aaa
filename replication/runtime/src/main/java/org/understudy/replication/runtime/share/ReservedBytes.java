package org.understudy.replication.runtime.share;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Bytes that arrive. Their memory grows with them, never with an announced length, and is reserved before it is allocated. Not
 * thread-safe.
 */
public final class ReservedBytes {
  private static final int FIRST = 8_192;

  private final Reservation reservation;
  private final int cost;
  private final int most;
  private byte[] bytes = {};
  private int length;
  private long reserved;

  /**
   * @param cost bytes of memory that each byte takes until the request has been answered
   * @param most bytes that can be added
   */
  public ReservedBytes(Reservation reservation, int cost, int most) {
    this.reservation = reservation;
    this.cost = cost;
    this.most = most;
  }

  /** Returns the number of bytes. */
  public int length() {
    return length;
  }

  /**
   * Makes room for another byte, of the {@code most}.
   *
   * @return null when there is room; else a sentence that names the limit reached
   */
  public String room() {
    return room(1);
  }

  private String room(int more) {
    if (length + more <= bytes.length) {
      return null;
    }
    int capacity = (int) Math.min(most, Math.max(Math.max(FIRST, length + more), 2L * bytes.length));
    long growth = (long) cost * (capacity - bytes.length);
    String full = reservation.grow(growth);
    if (full == null) {
      reserved += growth;
      bytes = Arrays.copyOf(bytes, capacity);
    }
    return full;
  }

  /**
   * Adds bytes.
   *
   * @return null when they are added; else a sentence that names the limit reached
   */
  public String add(byte[] from, int count) {
    String full = room(count);
    if (full == null) {
      System.arraycopy(from, 0, bytes, length, count);
      length += count;
    }
    return full;
  }

  /**
   * Reads what is there into the {@link #room}, of which there must be some. Blocks as the stream does.
   *
   * @return the number of bytes; negative at the end
   */
  public int read(InputStream in) throws IOException {
    if (length == bytes.length) {
      throw new IllegalStateException("There is no room for more than " + length + " bytes.");
    }
    int count = in.read(bytes, length, bytes.length - length);
    length += Math.max(0, count);
    return count;
  }

  /** Returns the bytes. Nothing may be added from then on. */
  public byte[] whole() {
    if (length < bytes.length) {
      bytes = Arrays.copyOf(bytes, length);
    }
    return bytes;
  }

  /** Gives the memory of the bytes back. Nothing may be added from then on. */
  public void drop() {
    reservation.shrink(reserved);
    reserved = 0;
    bytes = new byte[0];
  }
}
