package org.understudy.container.transaction;

import org.understudy.replication.api.decision.Branch;
import org.understudy.replication.runtime.Proposal;

/** The commit of a transaction, until the strategy decides: the changes of all its resources are one update. */
final class TransactionCommit implements Proposal {
  private final OpenTransaction transaction;
  private final TransactionParts parts;
  private final Runnable ended;

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

  @Override
  public void commit() {
    transaction.committed();
    try {
      parts.commit();
    } finally {
      ended.run();
    }
  }

  @Override
  public void rollback() {
    transaction.rolledBack();
    try {
      parts.rollBack();
    } finally {
      ended.run();
    }
  }

  /**
   * Ends it before anything was proposed. May block on a database.
   *
   * @param why as a clause
   */
  void undo(String why) {
    transaction.undone(why);
    try {
      parts.undo();
    } finally {
      ended.run();
    }
  }
}
