package org.understudy.replication.runtime.codec;

import java.io.IOException;

/** Thrown for bytes that are no valid message; the connection to their sender is closed. */
public final class MalformedMessageException extends IOException {
  private static final long serialVersionUID = 1L;

  public MalformedMessageException(String message) {
    super(message);
  }
}
