package org.understudy.replication.core.transaction;

/** A participant's answer to a request to prepare. */
public enum ParticipantVote {
  /** Every replica of the participant's view holds the changes, without effect: it waits for the decision, whatever fails. */
  PREPARED,
  /** The participant has changed nothing, and has released its locks: the decision does not concern it. */
  READ_ONLY,
  /** The participant does not know the transaction, or cannot prepare it. */
  ABORTED
}
