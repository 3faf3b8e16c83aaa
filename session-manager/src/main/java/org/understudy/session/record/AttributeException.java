package org.understudy.session.record;

/** An attribute cannot be written or read. The message names the attribute, the class and what to do. */
public final class AttributeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String subject;

  /** @param subject the attribute, and its class if that is known: the same for each failure of one defect */
  AttributeException(String subject, String message, Throwable cause) {
    super("The session attribute " + subject + message, cause);
    this.subject = subject;
  }

  /** The attribute, with its class if that is known. */
  public String subject() {
    return subject;
  }
}
