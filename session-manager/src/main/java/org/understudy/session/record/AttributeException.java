package org.understudy.session.record;

/**
 * An attribute cannot be written or read. The message names nothing of the web application, because servers show messages of exceptions to
 * clients; {@link #details} are for the log.
 */
public final class AttributeException extends RuntimeException {
  /** For a client whose request has left something in the session that cannot be replicated. */
  public static final String NOT_REPLICATED =
      "The session cannot be replicated. Nothing was changed. The log of the server has the reason.";

  private static final String NOT_READ = "An attribute of the session cannot be read. The log of the server has the reason.";
  private static final long serialVersionUID = 1L;

  private final String subject;
  private final String details;
  private final boolean passing;

  private AttributeException(String message, String subject, String details, boolean passing, Throwable reason) {
    super(message);
    this.passing = passing;
    this.subject = subject;
    this.details = "The session attribute " + subject + details;
    // Logged with this exception. Tomcat's page for an error shows causes, and no suppressed exceptions.
    addSuppressed(reason);
  }

  /** @param subject the attribute and its class: the same for each failure of one defect */
  static AttributeException onWriting(String subject, String details, Throwable reason) {
    return new AttributeException(NOT_REPLICATED, subject, details, false, reason);
  }

  /** The same for a reason that may not be there when the attribute is written again: another thread is changing its object. */
  static AttributeException whileWriting(String subject, String details, Throwable reason) {
    return new AttributeException(NOT_REPLICATED, subject, details, true, reason);
  }

  /** @param subject the attribute */
  static AttributeException onReading(String subject, String details, Throwable reason) {
    return new AttributeException(NOT_READ, subject, details, false, reason);
  }

  /** Whether writing the attribute again may succeed. */
  public boolean mayPass() {
    return passing;
  }

  /** The attribute, with its class if that is known. */
  public String subject() {
    return subject;
  }

  /** A sentence that names the attribute, the class if it is known, the reason and what to do. */
  public String details() {
    return details;
  }
}
