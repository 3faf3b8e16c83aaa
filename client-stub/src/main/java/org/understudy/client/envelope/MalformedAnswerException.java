package org.understudy.client.envelope;

import java.io.IOException;

/** The answer claims to be SOAP and is not, or carries a DOCTYPE. */
public class MalformedAnswerException extends IOException {
  private static final long serialVersionUID = 1L;

  public MalformedAnswerException(String message, Throwable cause) {
    super(message, cause);
  }
}
