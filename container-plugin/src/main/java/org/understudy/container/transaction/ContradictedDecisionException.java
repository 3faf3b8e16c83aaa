package org.understudy.container.transaction;

/**
 * An operator has decided this group's part of a transaction, and its coordinator has decided otherwise. The operator's decision stands;
 * the participants of the transaction differ. The coordinator must not get an acknowledgement.
 */
public final class ContradictedDecisionException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  /** @param message what has been decided, as a sentence */
  public ContradictedDecisionException(String message) {
    super(message);
  }
}
