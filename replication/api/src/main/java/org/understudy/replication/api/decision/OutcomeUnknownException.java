package org.understudy.replication.api.decision;

/** The connection to the database died while it executed COMMIT: the transaction may be committed, or may commit later. */
public final class OutcomeUnknownException extends DecisionStoreException {
  private static final long serialVersionUID = 1L;

  /** @param message a sentence: which decision, on which database, why */
  public OutcomeUnknownException(String message, Throwable cause) {
    super(message, cause);
  }
}
