package org.understudy.replication.core.request;

import org.understudy.replication.api.FailureCode;

/**
 * The reason why a request has no result.
 *
 * @param sentence what failed, on what, why, and what to do
 */
public record Failure(FailureCode code, String sentence) implements Outcome {
  /** The end of a sentence whose request may have been executed. A client without a request id gets another one in its place. */
  public static final String RETRY_WITH_ID = "Retry with the same request id.";

  private static final int MAX_STORED_CHARACTERS = 512;

  /** Returns this failure with its sentence truncated to the length that may be stored. */
  public Failure shortened() {
    return sentence.length() <= MAX_STORED_CHARACTERS
        ? this
        : new Failure(code, sentence.substring(0, MAX_STORED_CHARACTERS - 1) + "…");
  }

  @Override
  public long bytes() {
    return 2L * sentence.length();
  }
}
