package org.understudy.durability.proxy;

/** A state object is in a transaction that the operation does not belong to. Nothing was executed. */
public final class LockedObjectException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public LockedObjectException(String message) {
    super(message);
  }
}
