package org.understudy.client.envelope;

import java.io.IOException;

/** Thrown for an answer that claims to be SOAP but is invalid, or has a DOCTYPE. */
public class MalformedAnswerException extends IOException {
  private static final long serialVersionUID = 1L;

  public MalformedAnswerException(String message, Throwable cause) {
    super(message, cause);
  }
}
