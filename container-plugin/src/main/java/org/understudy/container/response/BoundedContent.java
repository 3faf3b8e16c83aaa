package org.understudy.container.response;

import java.io.OutputStream;
import java.util.Arrays;

/**
 * Keeps what a service's stack writes, and above a limit only counts it: a response that cannot be stored then takes no memory that the
 * replica needs. Not thread-safe.
 */
public final class BoundedContent extends OutputStream {
  private static final int FIRST_BYTES = 1_024;

  private final int limit;
  private byte[] kept = new byte[FIRST_BYTES];
  private long length;

  /** @param limit in bytes, above which nothing is kept */
  public BoundedContent(int limit) {
    this.limit = limit;
  }

  /** Returns an empty content with the same limit. */
  public BoundedContent another() {
    return new BoundedContent(limit);
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
    return length > limit;
  }

  /** Whether this number of bytes more is kept. */
  public boolean hasRoomFor(long more) {
    return length + more <= limit;
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
    kept = kept == null ? new byte[FIRST_BYTES] : kept;
  }

  @Override
  public void write(int b) {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] from, int offset, int count) {
    long after = length + count;
    if (after > limit) {
      kept = null;
    } else {
      if (after > kept.length) {
        kept = Arrays.copyOf(kept, (int) Math.min(limit, Math.max(after, 2L * kept.length)));
      }
      System.arraycopy(from, offset, kept, (int) length, count);
    }
    length = after;
  }
}
