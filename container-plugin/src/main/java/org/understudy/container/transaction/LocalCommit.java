package org.understudy.container.transaction;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The commit of a transaction in which no other group takes part. */
final class LocalCommit {
  private static final Logger LOG = LoggerFactory.getLogger(LocalCommit.class);

  private final OpenTransaction transaction;
  private final TransactionParts parts;
  private final TransactionCommit commit;
  private final CommitUpdate update;

  LocalCommit(OpenTransaction transaction, TransactionParts parts, TransactionCommit commit, CommitUpdate update) {
    this.transaction = transaction;
    this.parts = parts;
    this.commit = commit;
    this.update = update;
  }

  /** @throws RefusedCallException when the transaction is aborted, and nothing was reported to the replica */
  void propose() throws RefusedCallException {
    TransactionParts.Content content;
    try {
      content = parts.content();
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      LOG.error("The transaction {} is aborted, because what it changed cannot be captured.", transaction.id(), e);
      commit.undo("a call of it failed, or its changes cannot be captured. See the server's log for the reason");
      throw transaction.aborted();
    }
    update.propose(content, List.of(), commit);
  }
}
