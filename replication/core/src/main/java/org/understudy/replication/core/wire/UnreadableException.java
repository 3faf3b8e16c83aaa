package org.understudy.replication.core.wire;

/** Thrown for bytes that are no valid message for this replica. The message states the error. */
public final class UnreadableException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public UnreadableException(String message) {
    super(message);
  }
}
