package org.understudy.lab.http;

import java.io.IOException;

/** Thrown when a server accepted no connection in time. */
public final class ConnectionRefusedException extends IOException {
  private static final long serialVersionUID = 1;

  ConnectionRefusedException(String message, Throwable cause) {
    super(message, cause);
  }
}
