package org.understudy.replication.runtime.channel;

/** Thrown when a group channel cannot be opened. The message is one sentence: what failed, on what, why, what to do. */
public final class GroupChannelException extends Exception {
  private static final long serialVersionUID = 1L;

  public GroupChannelException(String message, Throwable cause) {
    super(message, cause);
  }
}
