package org.understudy.container.transaction;

import java.util.List;
import org.understudy.replication.api.decision.Branch;
import org.understudy.replication.runtime.Proposal;

/** The commit of a transaction, until the strategy decides: the changes of all its resources are one update. */
final class TransactionCommit implements Proposal {
  private final OpenTransaction transaction;
  private final List<TransactionPart> parts;
  private final Runnable ended;
  private volatile boolean settled;

  /** @param ended called once, when the transaction is over; must not block */
  TransactionCommit(OpenTransaction transaction, List<TransactionPart> parts, Runnable ended) {
    this.transaction = transaction;
    this.parts = parts;
    this.ended = ended;
  }

  /** The only one: a group has one service with a database. */
  @Override
  public Branch branch() {
    return parts.stream().map(TransactionPart::branch).filter(one -> one != null).findFirst().orElse(null);
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
      OpenTransaction.commit(parts);
    } finally {
      ended.run();
    }
  }

  @Override
  public void rollback() {
    settled = true;
    transaction.committed("its changes were not accepted by the group or the database");
    transaction.rollBack(parts);
    ended.run();
  }
}
