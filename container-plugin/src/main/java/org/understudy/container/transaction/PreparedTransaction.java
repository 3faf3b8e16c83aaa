package org.understudy.container.transaction;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.api.decision.DecisionId;
import org.understudy.replication.runtime.Proposal;

/** The part of this group in a transaction that a coordinator decides, from its preparation until the decision. */
final class PreparedTransaction implements Proposal {
  private final OpenTransaction transaction;
  private final TransactionParts parts;
  private final Consumer<Decision> ended;
  private volatile boolean readOnly;
  private volatile boolean replied;
  private final CompletableFuture<Vote> vote;

  /**
   * @param vote completes when the changes are stable, or it is certain that they never will be
   * @param ended called once, when the transaction is over; with null when it has voted read-only; must not block
   */
  PreparedTransaction(OpenTransaction transaction, TransactionParts parts, CompletableFuture<Vote> vote, Consumer<Decision> ended) {
    this.vote = vote;
    this.transaction = transaction;
    this.parts = parts;
    this.ended = ended;
  }

  /** For a part that has changed nothing: there is nothing to decide. */
  Proposal readOnly() {
    return new Proposal() {
      @Override
      public void commit() {
        end(null);
        readOnly = true;
        voteReadOnly();
      }

      @Override
      public void rollback() {
        PreparedTransaction.this.rollback();
      }
    };
  }

  /** The request that prepared it has its reply, so all that it did is stable. */
  void replied() {
    replied = true;
    voteReadOnly();
  }

  /** Another thread may report the reply before the commit. */
  private void voteReadOnly() {
    if (readOnly && replied) {
      vote.complete(Vote.READ_ONLY);
    }
  }

  @Override
  public void prepared(DecisionId id) {
    vote.complete(Vote.PREPARED);
  }

  @Override
  public void commit() {
    end(Decision.COMMITTED);
  }

  private void end(Decision decision) {
    ended.accept(decision);
    transaction.committed();
    parts.commit();
  }

  @Override
  public void rollback() {
    ended.accept(Decision.ABORTED);
    transaction.rolledBack();
    parts.rollBack();
    vote.complete(Vote.ABORTED);
  }
}
