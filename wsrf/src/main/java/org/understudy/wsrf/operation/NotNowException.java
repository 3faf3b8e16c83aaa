package org.understudy.wsrf.operation;

/** The request is in order and cannot be served now: nothing is executed, nothing is stored, and it may be asked again. */
public final class NotNowException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** @param message one sentence for the log; the caller hears that nothing was executed */
  public NotNowException(String message) {
    super(message, null, false, false);
  }
}
