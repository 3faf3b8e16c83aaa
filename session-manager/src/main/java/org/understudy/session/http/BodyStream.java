package org.understudy.session.http;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;

/** The body of a request that has been read already: it never blocks. Belongs to one request. */
final class BodyStream extends ServletInputStream {
  private final byte[] body;
  private int at;
  private ReadListener listener;

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

  /** Whether there is more to read, with or without a listener. */
  @Override
  public boolean isReady() {
    return at < body.length;
  }

  /** Keeps the listener until {@link #notifyListener}. */
  @Override
  public void setReadListener(ReadListener some) {
    if (some == null) {
      throw new NullPointerException("The ReadListener is null.");
    }
    if (listener != null) {
      throw new IllegalStateException("The request's body has a ReadListener.");
    }
    listener = some;
  }

  /** Calls the listener, if there is one, with the whole body. Call it once, when the servlet has returned. */
  void notifyListener() {
    if (listener == null) {
      return;
    }
    try {
      if (!isFinished()) {
        listener.onDataAvailable();
      }
      if (isFinished()) {
        listener.onAllDataRead();
      }
    } catch (IOException | RuntimeException e) {
      listener.onError(e);
    }
  }
}
