package org.understudy.notification.xpath;

/** Thrown for an invalid expression, or when its evaluation failed or exceeded its budget. Without a stack trace. */
public final class XPathException extends Exception {
  private static final long serialVersionUID = 1L;

  private final boolean overBudget;

  XPathException(String message, boolean overBudget) {
    super(message, null, false, false);
    this.overBudget = overBudget;
  }

  /** An evaluation that failed for another reason than its budget. */
  public static XPathException of(String message) {
    return new XPathException(message, false);
  }

  /** Whether the evaluation was aborted, so that its result is unknown. */
  public boolean overBudget() {
    return overBudget;
  }
}
