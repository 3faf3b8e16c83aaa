package org.understudy.container.transaction;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.runtime.Call;
import org.understudy.replication.runtime.Replica;

/**
 * The preparations of this primary's parts in transactions that coordinators decide: first the branch in the database, then the update in
 * the log. Thread-safe.
 */
final class Preparations {
  private static final Logger LOG = LoggerFactory.getLogger(Preparations.class);

  private final OpenTransactions open;
  private final Replica replica;
  private final DatabaseBranches branches;
  private final ParticipantContexts contexts;
  private final Failpoint.Replicated failpoints;

  Preparations(
      OpenTransactions open, Replica replica, DatabaseBranches branches, ParticipantContexts contexts, Failpoint.Replicated failpoints) {
    this.open = open;
    this.replica = replica;
    this.branches = branches;
    this.contexts = contexts;
    this.failpoints = failpoints;
  }

  /** Prepares a part at the primary; once, however often this is called. Does not block. */
  CompletableFuture<Vote> begin(OpenTransaction transaction) {
    String id = transaction.id();
    CompletableFuture<Vote> vote = new CompletableFuture<>();
    CompletableFuture<Vote> before = transaction.beginVote(vote);
    if (before != null) {
      return before;
    }
    TransactionParts parts;
    try {
      parts = transaction.beginCommit();
    } catch (RefusedCallException e) {
      LOG.info("The transaction {} is aborted: {}", id, e.getMessage());
      open.abort(transaction, "it was to be prepared while a call of it was executed");
      vote.complete(Vote.ABORTED);
      return vote;
    }
    PreparedTransaction prepared =
        new PreparedTransaction(transaction, parts, vote, decision -> {
          branches.ended(id, decision);
          open.decided(transaction, decision);
        });
    Request request = new Request(null, 0, Request.Kind.UPDATE, null, VersionHandle.INITIAL, 0, "", transaction.owner());
    replica.submit(
        request,
        new Call() {
          @Override
          public void execute(long token, Request.Kind kind) {
            propose(transaction, parts, prepared, token);
          }

          @Override
          public void reply(Reply reply) {
            LOG.debug("The transaction {} is decided.", id);
            prepared.replied();
          }

          @Override
          public void fail(Failure failure) {
            LOG.debug("The transaction {} is not prepared, or not decided so far: {}", id, failure.sentence());
            if (transaction.propose()) {
              rollBack(parts, prepared);
            }
          }
        });
    return vote;
  }

  private void propose(OpenTransaction transaction, TransactionParts parts, PreparedTransaction prepared, long token) {
    if (!transaction.propose()) {
      // The request has failed meanwhile, which undid everything.
      replica.abandoned(token);
      return;
    }
    TransactionParts.Content content;
    try {
      // Checked under the permission: another primary may have changed the objects since the preparation began.
      if (parts.obstacle() != null) {
        undo(parts, prepared, token);
        return;
      }
      content = parts.content();
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      LOG.error("The transaction {} is aborted, because what it changed cannot be captured.", transaction.id(), e);
      undo(parts, prepared, token);
      return;
    }
    boolean branch = parts.withBranch() != null;
    if (!branch && content.changes().isEmpty() && !parts.hideChanges()) {
      List<StateChange> mark = contexts.contains(transaction.id()) ? List.of(ParticipantContexts.readOnly(transaction.id())) : List.of();
      replica.executed(token, content.versions(), Response.EMPTY, mark, prepared.readOnly());
    } else if (!branch) {
      failpoints.reached(Failpoint.PREPARED_BEFORE, transaction.id());
      List<StateChange> changes = new ArrayList<>(content.changes());
      parts.hiddenChanges().stream().filter(one -> replica.state(one.resource()) == null).forEach(changes::add);
      replica.prepared(token, content.versions(), changes, transaction.participant(), prepared);
    } else if (!branches.run(() -> proposeWithBranch(transaction, parts, content, prepared, token))) {
      undo(parts, prepared, token);
    }
  }

  /** Prepares the branch first: an update in the log is a reason to vote. */
  private void proposeWithBranch(
      OpenTransaction transaction, TransactionParts parts, TransactionParts.Content content, PreparedTransaction prepared, long token) {
    List<StateChange> changes;
    try {
      changes = branches.prepare(transaction.id(), parts.withBranch(), content.changes());
    } catch (RuntimeException | Error e) {
      LOG.warn("The transaction {} is aborted, because its part of the database was not prepared: {}", transaction.id(), e.getMessage());
      LOG.debug("The branch was not prepared.", e);
      undo(parts, prepared, token);
      return;
    }
    failpoints.reached(Failpoint.PREPARED_BEFORE, transaction.id());
    replica.prepared(token, content.versions(), changes, transaction.participant(), prepared);
  }

  private void undo(TransactionParts parts, PreparedTransaction prepared, long token) {
    try {
      rollBack(parts, prepared);
    } finally {
      replica.abandoned(token);
    }
  }

  private void rollBack(TransactionParts parts, PreparedTransaction prepared) {
    boolean waits = parts.withBranch() != null;
    Runnable task = () -> {
      try {
        parts.rollBackBranch();
      } finally {
        prepared.rollback();
      }
    };
    if (!waits || !branches.run(task)) {
      task.run();
    }
  }
}
