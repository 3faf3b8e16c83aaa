package org.understudy.replication.core.transaction;

/** What a coordinator answers to a participant in doubt. */
public enum TransactionStatus {
  /** It has committed. */
  COMMITTED,
  /** Its decision is not known here yet: ask again. */
  ACTIVE,
  /** It has aborted, or will never commit. */
  ABORTED,
  /** The group has lost its memory since the transaction was begun, and with it the decision, if there was one. */
  LOST
}
