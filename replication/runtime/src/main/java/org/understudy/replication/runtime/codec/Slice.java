package org.understudy.replication.runtime.codec;

import java.nio.ByteBuffer;

/**
 * What is given to a channel at once: the next bytes of several buffers, in a direct buffer that is used again. For buffers of the heap,
 * the JDK keeps direct ones of their size for each thread that writes, so a large state that many threads send would take all memory
 * outside the heap. Not thread-safe.
 */
public final class Slice {
  public static final int BYTES = 64 << 10;

  private final ByteBuffer bytes = ByteBuffer.allocateDirect(BYTES);

  /** The buffer, empty, for content that fits. */
  public ByteBuffer clear() {
    return bytes.clear();
  }

  /** Moves as many bytes as fit from the parts, in their order; returns them, valid until the next call. */
  public ByteBuffer take(ByteBuffer... parts) {
    bytes.clear();
    for (int i = 0; i < parts.length && bytes.hasRemaining(); i++) {
      ByteBuffer part = parts[i];
      int limit = part.limit();
      part.limit(part.position() + Math.min(part.remaining(), bytes.remaining()));
      bytes.put(part);
      part.limit(limit);
    }
    return bytes.flip();
  }
}
