package org.understudy.container.response;

import java.io.OutputStream;
import java.util.Arrays;
import java.util.function.LongFunction;

/**
 * Keeps what a service's stack writes, and above a limit, or where no memory can be reserved for it, only counts it: a response that cannot
 * be stored then takes no memory that the replica needs. Not thread-safe.
 */
public final class BoundedContent extends OutputStream {
  private static final int FIRST_BYTES = 1_024;

  /** Reserved for each byte of the buffer: for it, and for the response that is stored or for the buffer that replaces it. */
  private static final int RESERVED_PER_BYTE = 2;
  /** What a request in progress counts for anyway covers a buffer of this size. */
  private static final int UNRESERVED_BYTES = 16 << 10;

  private final int limit;
  private final LongFunction<String> room;
  private String full;
  private long reserved;
  private byte[] kept = new byte[FIRST_BYTES];
  private long length;

  /** @param limit in bytes, above which nothing is kept */
  public BoundedContent(int limit) {
    this(limit, bytes -> null);
  }

  /**
   * Makes an empty content.
   *
   * @param limit in bytes, above which nothing is kept
   * @param room reserves a number of bytes more, and returns null or a sentence that says why it cannot
   */
  public BoundedContent(int limit, LongFunction<String> room) {
    this.limit = limit;
    this.room = room;
  }

  /** Returns an empty content with the same limit, which reserves memory of its own. */
  public BoundedContent another() {
    return new BoundedContent(limit, room);
  }

  /** Returns what was written: the first {@link #length()} bytes of this array. */
  public byte[] bytes() {
    if (isTooLong()) {
      throw new IllegalStateException("A content of " + length + " bytes is not kept.");
    }
    return kept;
  }

  /** Returns the number of bytes that were written. */
  public long length() {
    return length;
  }

  /** Whether more was written than is kept. */
  public boolean isTooLong() {
    return length > limit || full != null;
  }

  /** Returns why no memory was left to keep it; null if none was missing. */
  public String full() {
    return full;
  }

  /** Whether this number of bytes more is kept. */
  public boolean hasRoomFor(long more) {
    return full == null && length + more <= limit;
  }

  /** Counts bytes that are not written, because they are known to be too many. */
  public void skip(long bytes) {
    if (hasRoomFor(bytes)) {
      throw new IllegalArgumentException(bytes + " bytes would be kept.");
    }
    length += bytes;
    kept = null;
  }

  /** Drops what was written. */
  public void reset() {
    length = 0;
    full = null;
    kept = kept == null ? new byte[FIRST_BYTES] : kept;
  }

  @Override
  public void write(int b) {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] from, int offset, int count) {
    long after = length + count;
    if (after > limit || full != null) {
      kept = null;
    } else if (after <= kept.length || isEnlarged((int) Math.min(limit, Math.max(after, 2L * kept.length)))) {
      System.arraycopy(from, offset, kept, (int) length, count);
    }
    length = after;
  }

  private boolean isEnlarged(int size) {
    long needed = size <= UNRESERVED_BYTES ? 0 : (long) RESERVED_PER_BYTE * size;
    if (needed > reserved) {
      full = room.apply(needed - reserved);
      if (full != null) {
        kept = null;
        return false;
      }
      reserved = needed;
    }
    kept = Arrays.copyOf(kept, size);
    return true;
  }
}
