package org.understudy.replication.core;

import org.understudy.replication.api.FailureCode;

/**
 * Why there is no result.
 *
 * @param sentence what happened, to what, and what to do
 */
public record Failure(FailureCode code, String sentence) implements Outcome {
  private static final int MAX_STORED_CHARACTERS = 512;

  /** The same with a sentence that is short enough to be stored. */
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
