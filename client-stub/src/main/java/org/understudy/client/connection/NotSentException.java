package org.understudy.client.connection;

import java.io.IOException;

/** Thrown when no byte of the request's content was sent: the replica cannot have executed it. */
public class NotSentException extends IOException {
  private static final long serialVersionUID = 1L;

  public NotSentException(String message, Throwable cause) {
    super(message, cause);
  }
}
