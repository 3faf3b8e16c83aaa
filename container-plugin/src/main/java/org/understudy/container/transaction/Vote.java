package org.understudy.container.transaction;

/** The answer of a participant to its coordinator's question whether a transaction can commit. */
public enum Vote {
  /** The changes are stable at the group, their objects stay locked, and the participant does what the coordinator decides. */
  PREPARED,
  /** Nothing was changed. The objects are unlocked, and the participant does not want to know the decision. */
  READ_ONLY,
  /** The transaction is unknown here or cannot be prepared. Everything that it changed is undone. */
  ABORTED
}
