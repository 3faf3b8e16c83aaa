package org.understudy.replication.api;

/** The request names no resource, or one that does not exist (any more). Nothing was executed. */
public class UnknownResourceException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UnknownResourceException(String message) {
    super(message);
  }
}
