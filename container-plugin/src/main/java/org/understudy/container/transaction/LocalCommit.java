package org.understudy.container.transaction;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.FailureCode;

/** The commit of a transaction in which no other group takes part. */
final class LocalCommit {
  private static final Logger LOG = LoggerFactory.getLogger(LocalCommit.class);

  private final String id;
  private final TransactionParts parts;
  private final TransactionCommit commit;
  private final CommitUpdate update;

  /** @param id of the transaction */
  LocalCommit(String id, TransactionParts parts, TransactionCommit commit, CommitUpdate update) {
    this.id = id;
    this.parts = parts;
    this.commit = commit;
    this.update = update;
  }

  /** @throws RefusedCallException when the transaction is aborted, and nothing was reported to the replica */
  void propose() throws RefusedCallException {
    boolean proposed = false;
    try {
      TransactionParts.Content content = parts.content();
      proposed = true;
      update.propose(content, List.of(), commit);
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      if (proposed && commit.hasEnded()) {
        throw e;
      }
      LOG.error("The transaction {} is aborted, because what it changed cannot be captured or replicated.", id, e);
      parts.rollBackBranch();
      commit.rollback();
      throw OpenTransaction.refused(
          FailureCode.TransactionAborted,
          "The transaction " + id + " was aborted: a call of it failed, or its changes cannot be captured. See the server's log for the "
              + "reason. Everything is undone.");
    }
  }
}
