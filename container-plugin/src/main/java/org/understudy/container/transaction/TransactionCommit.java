package org.understudy.container.transaction;

import org.understudy.replication.api.decision.Branch;
import org.understudy.replication.runtime.Proposal;

/** The commit of a transaction, until the strategy decides: the changes of all its resources are one update. */
final class TransactionCommit implements Proposal {
  private final OpenTransaction transaction;
  private final TransactionParts parts;
  private final Runnable ended;
  private volatile boolean settled;

  /** @param ended called once, when the transaction is over; must not block */
  TransactionCommit(OpenTransaction transaction, TransactionParts parts, Runnable ended) {
    this.transaction = transaction;
    this.parts = parts;
    this.ended = ended;
  }

  @Override
  public Branch branch() {
    TransactionPart part = parts.withBranch();
    return part == null ? null : part.branch();
  }

  /** Whether it has been committed or rolled back. */
  boolean hasEnded() {
    return settled;
  }

  @Override
  public void commit() {
    settled = true;
    transaction.committed(null);
    try {
      parts.commit();
    } finally {
      ended.run();
    }
  }

  @Override
  public void rollback() {
    settled = true;
    transaction.committed("its changes were not accepted by the group or the database");
    parts.rollBack();
    ended.run();
  }
}
