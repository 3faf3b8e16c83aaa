package org.understudy.container.transaction;

import java.util.ArrayList;
import java.util.List;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.runtime.Proposal;
import org.understudy.replication.runtime.Replica;

/** The one update by which a transaction that was begun at this group is committed, and its client answered. */
final class CommitUpdate {
  private final Replica replica;
  private final TransactionTable table;
  private final String transaction;
  private final long token;
  private final Response answer;

  /** @param token of the permitted execution */
  CommitUpdate(Replica replica, TransactionTable table, String transaction, long token, Response answer) {
    this.replica = replica;
    this.table = table;
    this.transaction = transaction;
    this.token = token;
    this.answer = answer;
  }

  /**
   * Reports the update to the replica.
   *
   * @param content what the transaction has changed and read here
   * @param more changes of the update
   */
  void propose(TransactionParts.Content content, List<StateChange> more, Proposal proposal) {
    List<StateChange> changes = new ArrayList<>(content.changes());
    changes.addAll(table.changes(transaction));
    changes.addAll(more);
    replica.executed(token, content.versions(), answer, changes, proposal);
  }
}
