package org.understudy.replication.api;

/** An update outside any operation was not executed, or its outcome is unknown; see {@link ResourceHome#update}. */
public final class UpdateFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final FailureCode code;

  /** @param message a sentence: why, and what to do */
  public UpdateFailedException(FailureCode code, String message) {
    super(message);
    this.code = code;
  }

  /** Why; {@link FailureCode#certainty} states whether the update was executed. */
  public FailureCode code() {
    return code;
  }
}
