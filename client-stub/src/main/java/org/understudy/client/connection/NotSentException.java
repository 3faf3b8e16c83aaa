package org.understudy.client.connection;

import java.io.IOException;

/** No connection came about: the replica cannot have seen the request. */
public class NotSentException extends IOException {
  private static final long serialVersionUID = 1L;

  public NotSentException(String message, Throwable cause) {
    super(message, cause);
  }
}
