package org.understudy.replication.api.decision;

/** A {@link DecisionStore} cannot do its work now; nothing is known about what it was asked. */
public class DecisionStoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** @param message a sentence without secrets: what failed, on which database, why, what to do */
  public DecisionStoreException(String message, Throwable cause) {
    super(message, cause);
  }
}
