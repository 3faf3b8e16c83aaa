package org.understudy.replication.api.decision;

/** The database holds the committed row of the same request: it was executed before. The transaction is not committed and never will be. */
public final class ExecutedBeforeException extends DecisionStoreException {
  private static final long serialVersionUID = 1L;

  /** @param message a sentence: which decision, on which database */
  public ExecutedBeforeException(String message) {
    super(message, null);
  }
}
