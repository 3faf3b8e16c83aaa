package org.understudy.wsrf.operation;

/** Thrown when a valid request cannot be served now: nothing is executed or stored, and the client may retry. */
public final class NotNowException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** @param message one sentence for the log; the client's failure states that nothing was executed */
  public NotNowException(String message) {
    super(message, null, false, false);
  }
}
