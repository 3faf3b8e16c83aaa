package org.understudy.replication.runtime.codec;

import java.io.IOException;

/** Bytes that are no message. Whoever sent them is cut off. */
public final class MalformedMessageException extends IOException {
  private static final long serialVersionUID = 1L;

  public MalformedMessageException(String message) {
    super(message);
  }
}
