package org.understudy.session;

/** The session cannot be used now. The request fails, and nothing of it was executed. */
final class UnavailableSessionException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  UnavailableSessionException(String message) {
    super(message);
  }
}
