package org.understudy.lab.torture.history;

/** How an operation ended for its client. */
public enum Outcome {
  /** With a value. */
  OK,
  /** It had no effect and never will. */
  FAIL,
  /** It may have had its effect, may have it later, or never. */
  UNKNOWN;

  /** The name in files. */
  public String word() {
    return Words.of(this);
  }

  /** @throws IllegalArgumentException for a word that names no outcome */
  public static Outcome parse(String word) {
    return Words.parse(Outcome.class, "The outcome of an operation", word);
  }
}
