package org.understudy.session.record;

/** An attribute cannot be written or read. The message names the attribute, the class and what to do. */
public final class AttributeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  AttributeException(String message, Throwable cause) {
    super(message, cause);
  }
}
