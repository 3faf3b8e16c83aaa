package org.understudy.replication.runtime.socket;

import java.nio.ByteBuffer;
import org.understudy.replication.runtime.handshake.ContentDigest;

/**
 * Encoded messages on their way to one or more peers. On the wire: the content's length in four bytes, the content, and a
 * tag of sixteen bytes. A ping and its answer have no content. The highest bit of the length marks a frame.
 */
final class Frame {
  /** The bits of a length on the wire that count. */
  static final int MAX_BYTES = Integer.MAX_VALUE;
  /** The bit of the length that marks a frame: its sender asks for an answer on the same connection, or this is the answer. */
  static final int MARK = Integer.MIN_VALUE;

  static final Frame EMPTY = new Frame(new ByteBuffer[0]);

  private final ByteBuffer[] segments;
  private final int bytes;
  private volatile byte[] digest;

  Frame(ByteBuffer[] segments) {
    this.segments = segments;
    int sum = 0;
    for (ByteBuffer segment : segments) {
      sum += segment.remaining();
    }
    this.bytes = sum;
  }

  int bytes() {
    return bytes;
  }

  /** Copies the content to the target, whose position moves. */
  void copyTo(ByteBuffer target) {
    for (ByteBuffer segment : segments) {
      target.put(segment.duplicate());
    }
  }

  /** The content; the positions are the caller's own. */
  ByteBuffer[] segments() {
    ByteBuffer[] copy = new ByteBuffer[segments.length];
    for (int i = 0; i < copy.length; i++) {
      copy[i] = segments[i].duplicate();
    }
    return copy;
  }

  boolean isDigested() {
    return digest != null;
  }

  /** The content's digest, computed by the first connection that needs it; valid for all connections of one replica. */
  byte[] digest(ContentDigest with) {
    byte[] known = digest;
    if (known == null) {
      for (ByteBuffer segment : segments) {
        with.update(segment);
      }
      known = with.digest();
      digest = known;
    }
    return known;
  }
}
