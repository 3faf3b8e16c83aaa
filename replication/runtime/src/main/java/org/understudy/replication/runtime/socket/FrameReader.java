package org.understudy.replication.runtime.socket;

import java.io.IOException;
import java.io.InputStream;
import org.understudy.replication.runtime.handshake.ContentDigest;
import org.understudy.replication.runtime.handshake.FrameSeal;
import org.understudy.replication.runtime.handshake.PeerSession;
import org.understudy.replication.runtime.handshake.RefusedPeerException;

/**
 * Splits a stream into frames and verifies their tags. Reads all available bytes with one call, so that a small frame costs
 * one; memory for a large frame grows as its bytes arrive, and they are digested meanwhile.
 */
final class FrameReader {
  private static final int INITIAL_BYTES = 64 << 10;
  /** The JDK keeps a direct buffer for each thread, as large as the largest read from a channel. */
  private static final int READ_BYTES = INITIAL_BYTES;

  private final InputStream in;
  private final int maxFrameBytes;
  private final FrameSeal seal;
  private final ContentDigest digest;
  private byte[] buffer = new byte[INITIAL_BYTES];
  private int start;
  private int end;
  private int offset;
  private int length;
  private final boolean answers;
  private boolean asking;

  FrameReader(InputStream in, int maxFrameBytes, PeerSession session) {
    this.answers = session.answers();
    this.in = in;
    this.maxFrameBytes = maxFrameBytes;
    this.seal = session.incoming();
    this.digest = session.incomingContent();
  }

  /**
   * Reads the next frame.
   *
   * @return false at the end of the stream
   * @throws RefusedPeerException when the frame is not the one that the peer sent next
   */
  boolean next() throws IOException {
    while (end - start < 4) {
      if (!read(4)) {
        return false;
      }
    }
    length =
        (buffer[start] & 0xff) << 24
            | (buffer[start + 1] & 0xff) << 16
            | (buffer[start + 2] & 0xff) << 8
            | (buffer[start + 3] & 0xff);
    asking = answers && length < 0;
    if (asking) {
      length &= Frame.MAX_BYTES;
    }
    if (length < 0 || length > maxFrameBytes) {
      throw new IOException("A frame of " + Integer.toUnsignedString(length) + " bytes is over the limit.");
    }
    start += 4;
    int needed = length + FrameSeal.TAG_BYTES;
    int done = 0;
    while (end - start < needed) {
      done = digest(done);
      if (!read(needed)) {
        throw new IOException("The stream ends within a frame.");
      }
    }
    digest(done);
    verify();
    offset = start;
    start += needed;
    return true;
  }

  private int digest(int done) {
    int there = Math.min(end - start, length);
    digest.update(buffer, start + done, there - done);
    return there;
  }

  private void verify() throws IOException {
    if (!seal.verify(digest.digest(), asking, buffer, start + length)) {
      throw new RefusedPeerException(
          RefusedPeerException.Reason.FORGED, "A frame was altered on the way, or is not the next one; the connection ends.");
    }
  }

  /** Whether the peer asks for an answer to the frame on this connection. */
  boolean isAsking() {
    return asking;
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

  private boolean read(int needed) throws IOException {
    if (start == end) {
      start = 0;
      end = 0;
    }
    if (end == buffer.length || (start > 0 && start + needed > buffer.length)) {
      makeRoom(needed);
    }
    int read = in.read(buffer, end, Math.min(buffer.length - end, READ_BYTES));
    if (read < 0) {
      return false;
    }
    end += read;
    return true;
  }

  /** Moves the buffered bytes to the front; doubles a full buffer, so it holds at most twice what has arrived. */
  private void makeRoom(int needed) {
    int held = end - start;
    byte[] target = held < buffer.length ? buffer : new byte[Math.min(needed, 2 * buffer.length)];
    System.arraycopy(buffer, start, target, 0, held);
    buffer = target;
    start = 0;
    end = held;
  }
}
