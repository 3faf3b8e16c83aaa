package org.understudy.lab.torture.history;

import java.util.Locale;

/** What an answer states about a transaction. */
public enum TransactionOutcome {
  /** All its changes have taken effect. */
  COMMITTED,
  /** None of its changes has an effect, now or later. */
  ABORTED,
  /** Either, now or later. */
  UNKNOWN;

  /** The name in files. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** @throws IllegalArgumentException for a word that names no outcome */
  public static TransactionOutcome parse(String word) {
    for (TransactionOutcome outcome : values()) {
      if (outcome.word().equals(word)) {
        return outcome;
      }
    }
    throw new IllegalArgumentException("The outcome of a transaction is committed, aborted or unknown, not " + word + ".");
  }
}
