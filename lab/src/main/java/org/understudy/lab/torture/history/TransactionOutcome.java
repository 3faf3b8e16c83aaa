package org.understudy.lab.torture.history;

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
    return Words.of(this);
  }

  /** @throws IllegalArgumentException for a word that names no outcome */
  public static TransactionOutcome parse(String word) {
    return Words.parse(TransactionOutcome.class, "The outcome of a transaction", word);
  }
}
