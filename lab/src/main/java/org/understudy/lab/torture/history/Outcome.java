package org.understudy.lab.torture.history;

import java.util.Locale;

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
    return name().toLowerCase(Locale.ROOT);
  }

  /** @throws IllegalArgumentException for a word that names no outcome */
  public static Outcome parse(String word) {
    for (Outcome outcome : values()) {
      if (outcome.word().equals(word)) {
        return outcome;
      }
    }
    throw new IllegalArgumentException("The outcome of an operation is ok, fail or unknown, not " + word + ".");
  }
}
