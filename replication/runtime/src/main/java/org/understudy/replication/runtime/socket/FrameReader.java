package org.understudy.replication.runtime.socket;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/**
 * Cuts a stream into frames. Reads as much as there is with one call, so that a small frame costs one; memory for a large
 * frame grows as its bytes arrive.
 */
final class FrameReader {
  private static final int USUAL_BYTES = 64 << 10;

  private final ReadableByteChannel in;
  private final int maxFrameBytes;
  private byte[] buffer = new byte[USUAL_BYTES];
  private ByteBuffer view = ByteBuffer.wrap(buffer);
  private int start;
  private int end;
  private int offset;
  private int length;

  FrameReader(ReadableByteChannel in, int maxFrameBytes) {
    this.in = in;
    this.maxFrameBytes = maxFrameBytes;
  }

  /** @return false at the end of the stream */
  boolean next() throws IOException {
    if (!fill(4)) {
      return false;
    }
    int announced =
        (buffer[start] & 0xff) << 24
            | (buffer[start + 1] & 0xff) << 16
            | (buffer[start + 2] & 0xff) << 8
            | (buffer[start + 3] & 0xff);
    if (announced < 0 || announced > maxFrameBytes) {
      throw new IOException("A frame of " + Integer.toUnsignedString(announced) + " bytes is over the limit.");
    }
    start += 4;
    if (!fill(announced)) {
      throw new IOException("The stream ends within a frame.");
    }
    offset = start;
    length = announced;
    start += announced;
    return true;
  }

  byte[] bytes() {
    return buffer;
  }

  int offset() {
    return offset;
  }

  int length() {
    return length;
  }

  private boolean fill(int needed) throws IOException {
    while (end - start < needed) {
      if (start == end) {
        start = 0;
        end = 0;
      }
      if (end == buffer.length || (start > 0 && start + needed > buffer.length)) {
        makeRoom(needed);
      }
      int read = in.read(view.limit(buffer.length).position(end));
      if (read < 0) {
        return false;
      }
      end += read;
    }
    return true;
  }

  /** Moves what is held to the front; when the buffer is full of it, doubles it, so never more than twice what came. */
  private void makeRoom(int needed) {
    int held = end - start;
    byte[] target = held < buffer.length ? buffer : new byte[Math.min(needed, 2 * buffer.length)];
    System.arraycopy(buffer, start, target, 0, held);
    if (target != buffer) {
      buffer = target;
      view = ByteBuffer.wrap(target);
    }
    start = 0;
    end = held;
  }
}
