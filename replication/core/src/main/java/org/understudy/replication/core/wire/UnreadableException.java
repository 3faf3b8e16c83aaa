package org.understudy.replication.core.wire;

/** Bytes are no message that this replica can read. The message says what is wrong with them. */
public final class UnreadableException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public UnreadableException(String message) {
    super(message);
  }
}
