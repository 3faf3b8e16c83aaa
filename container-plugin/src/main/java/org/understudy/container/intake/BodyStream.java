package org.understudy.container.intake;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.ByteArrayInputStream;

/** Provides a request's body that is in memory as the stream that servlets read. Not thread-safe; reading does not block. */
public final class BodyStream extends ServletInputStream {
  private final ByteArrayInputStream bytes;

  /** @param body the bytes; the caller must not change them */
  public BodyStream(byte[] body) {
    this.bytes = new ByteArrayInputStream(body);
  }

  @Override
  public int read() {
    return bytes.read();
  }

  @Override
  public int read(byte[] into, int offset, int length) {
    return bytes.read(into, offset, length);
  }

  @Override
  public int available() {
    return bytes.available();
  }

  @Override
  public boolean isFinished() {
    return bytes.available() == 0;
  }

  @Override
  public boolean isReady() {
    return true;
  }

  @Override
  public void setReadListener(ReadListener listener) {
    throw new IllegalStateException("The body has been read; a listener has nothing to wait for.");
  }
}
