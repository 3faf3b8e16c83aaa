package org.understudy.container.tomcat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.apache.coyote.Request;
import org.apache.tomcat.util.net.ApplicationBufferHandler;

/**
 * The body of a request as Tomcat's connector reads it, below the streams of servlets, which do not notice. Blocks until bytes arrive or
 * the connector's time for them is over. Not thread-safe.
 */
final class UnreadBody extends InputStream implements ApplicationBufferHandler {
  private final Request request;
  private ByteBuffer buffer = ByteBuffer.allocate(0);

  UnreadBody(Request request) {
    this.request = request;
  }

  @Override
  public int read() throws IOException {
    return fill() ? buffer.get() & 0xff : -1;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (!fill()) {
      return -1;
    }
    int count = Math.min(length, buffer.remaining());
    buffer.get(into, offset, count);
    return count;
  }

  private boolean fill() throws IOException {
    while (!buffer.hasRemaining()) {
      if (request.doRead(this) < 0) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void setByteBuffer(ByteBuffer read) {
    buffer = read;
  }

  @Override
  public ByteBuffer getByteBuffer() {
    return buffer;
  }

  @Override
  public void expand(int size) {
    // The connector provides its own buffers.
  }
}
