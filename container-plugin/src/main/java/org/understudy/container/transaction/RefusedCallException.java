package org.understudy.container.transaction;

import org.understudy.replication.core.request.Failure;

/** A request of a transaction that is not executed. */
public final class RefusedCallException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient Failure failure;

  /** @param failure that the client receives */
  public RefusedCallException(Failure failure) {
    super(failure.sentence());
    this.failure = failure;
  }

  /** The failure that the client receives. */
  public Failure failure() {
    return failure;
  }
}
