package org.understudy.session.http;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;

/** The body of a request that has been read already. */
final class BodyStream extends ServletInputStream {
  private final byte[] body;
  private int at;

  BodyStream(byte[] body) {
    this.body = body;
  }

  @Override
  public int read() {
    return at < body.length ? body[at++] & 0xff : -1;
  }

  @Override
  public int read(byte[] to, int offset, int length) {
    if (at >= body.length) {
      return length == 0 ? 0 : -1;
    }
    int count = Math.min(length, body.length - at);
    System.arraycopy(body, at, to, offset, count);
    at += count;
    return count;
  }

  @Override
  public int available() {
    return body.length - at;
  }

  @Override
  public boolean isFinished() {
    return at >= body.length;
  }

  @Override
  public boolean isReady() {
    return true;
  }

  @Override
  public void setReadListener(ReadListener listener) {
    throw new IllegalStateException("The request's body has been read already. Read it without a ReadListener.");
  }
}
