package org.understudy.notification.xpath;

/** An expression that is wrong, or whose evaluation failed or went over its budget. Without a stack trace. */
public final class XPathException extends Exception {
  private static final long serialVersionUID = 1L;

  private final boolean overBudget;

  XPathException(String message, boolean overBudget) {
    super(message, null, false, false);
    this.overBudget = overBudget;
  }

  /** Whether the evaluation was cut off, so that nothing is known of its result. */
  public boolean overBudget() {
    return overBudget;
  }
}
