package org.understudy.replication.runtime.strategy;

/** Thrown when a deployment cannot run its strategy. The message is one line: what is missing, and what to do. */
public final class UnavailableException extends Exception {
  private static final long serialVersionUID = 1L;

  public UnavailableException(String message) {
    super(message);
  }
}
