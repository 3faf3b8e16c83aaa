package org.understudy.replication.api.decision;

/** The database is older than the replicated state: it was restored from an old backup. An operator must restore both to one time. */
public final class StaleStoreException extends DecisionStoreException {
  private static final long serialVersionUID = 1L;

  /** @param message a sentence: what the database has, what the group knows, what to do */
  public StaleStoreException(String message) {
    super(message, null);
  }
}
