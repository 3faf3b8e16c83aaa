package org.understudy.durability.database;

/** The database rejected a statement. The operation's transaction has to be rolled back. */
public final class StatementFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StatementFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
