package org.understudy.container.request;

/** Thrown when the service's response is not an envelope that can be stored. */
final class UnusableAnswerException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnusableAnswerException(IllegalArgumentException cause) {
    super(cause.getMessage(), cause);
  }

  UnusableAnswerException(String message) {
    super(message);
  }
}
