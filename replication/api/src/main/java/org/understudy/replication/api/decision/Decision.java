package org.understudy.replication.api.decision;

/** What became of a prepared update. Never changes once it is known. */
public enum Decision {
  /** The row of the decision is committed, with the database part of the update. */
  COMMITTED,
  /** The transaction is not committed and never will be. */
  ABORTED
}
