package org.understudy.container.transaction;

import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.decision.Branch;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.runtime.Proposal;

/** The commit of a transaction in which other groups take part: waits for their votes under the permission of the commit's update. */
final class SharedCommit implements GroupCoordinator.Commit {
  private static final Logger LOG = LoggerFactory.getLogger(SharedCommit.class);

  private final GroupCoordinator coordinator;
  private final OpenTransaction transaction;
  private final TransactionParts parts;
  private final TransactionCommit commit;
  private final CommitUpdate update;
  private final Consumer<RefusedCallException> refused;

  /**
   * @param commit of the part of this group
   * @param refused called when the transaction is aborted
   */
  SharedCommit(
      GroupCoordinator coordinator,
      OpenTransaction transaction,
      TransactionParts parts,
      TransactionCommit commit,
      CommitUpdate update,
      Consumer<RefusedCallException> refused) {
    this.coordinator = coordinator;
    this.transaction = transaction;
    this.parts = parts;
    this.commit = commit;
    this.update = update;
    this.refused = refused;
  }

  @Override
  public void propose(StateChange record) {
    TransactionParts.Content content;
    try {
      // Checked once more: the votes took time, and another primary may have changed the objects.
      String obstacle = parts.obstacle();
      if (obstacle != null) {
        coordinator.refused(transaction.id());
        aborted(obstacle);
        return;
      }
      content = parts.content();
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      LOG.error("The transaction {} is aborted, because what it changed cannot be captured.", transaction.id(), e);
      coordinator.refused(transaction.id());
      aborted("its changes cannot be captured");
      return;
    }
    update.propose(
        content, List.of(record),
        new Proposal() {
          @Override
          public Branch branch() {
            return commit.branch();
          }

          @Override
          public void commit() {
            try {
              commit.commit();
            } finally {
              coordinator.appended(transaction.id());
            }
          }

          @Override
          public void rollback() {
            try {
              commit.rollback();
            } finally {
              coordinator.refused(transaction.id());
            }
          }
        });
  }

  @Override
  public void aborted(String why) {
    try {
      commit.undo(why);
    } finally {
      refused.accept(transaction.aborted());
    }
  }
}
