package org.understudy.replication.api.decision;

/** Another primary has raised the epoch row of the database: this replica may not commit there any more. */
public final class FencedException extends DecisionStoreException {
  private static final long serialVersionUID = 1L;

  /** @param message a sentence: which epoch stands in the row, and which one this replica has */
  public FencedException(String message) {
    super(message, null);
  }
}
