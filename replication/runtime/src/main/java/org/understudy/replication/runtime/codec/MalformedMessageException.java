package org.understudy.replication.runtime.codec;

import java.io.IOException;

/** The bytes are not a valid message; the connection to their sender is closed. */
public final class MalformedMessageException extends IOException {
  private static final long serialVersionUID = 1L;

  public MalformedMessageException(String message) {
    super(message);
  }
}
