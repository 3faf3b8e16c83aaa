package org.understudy.container.execution;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.understudy.replication.api.decision.Branch;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Outcome;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.runtime.Executions;
import org.understudy.replication.runtime.Proposal;
import org.understudy.wsrf.resource.ResourceTransaction;

/**
 * One execution that a replica has permitted, with its transaction. It reports its end to the replica exactly once, rolls a
 * rejected update back before another transaction can see it, and releases the resource. Its changes are invisible to other
 * transactions until the strategy commits it. Belongs to one request; starts no thread, and blocks only to roll a branch back.
 */
public final class Execution implements Proposal, PermittedExecution {
  private final Executions replica;
  private final long token;
  private final boolean objects;
  /** Null until the transaction holds its lock. */
  private ResourceTransaction transaction;
  private List<StateChange> changes = List.of();
  private volatile boolean ended;
  private final long began = System.currentTimeMillis();
  /** Guarded by this: the transaction is committed or rolled back, and released. */
  private boolean decided;

  /** @param objects whether the states of the service's objects are captured, as for {@link ResourceTransaction#capture} */
  public Execution(Executions replica, long token, boolean objects) {
    this.replica = replica;
    this.token = token;
    this.objects = objects;
  }

  @Override
  public void entered(ResourceTransaction transaction) {
    this.transaction = transaction;
    transaction.heldBy(this);
  }

  @Override
  public void capture() {
    if (!transaction.isRead()) {
      changes = transaction.capture(objects);
    }
  }

  /**
   * Reports the outcome to the replica, with the versions read and, unless it is a failure, the changes. When the database has ended the
   * branch by itself, reports that instead: the request is executed again.
   */
  @Override
  public void end(Outcome outcome) {
    Branch branch = branch();
    boolean aborted = branch != null && branch.isAborted();
    if (aborted || (branch != null && transaction.isDiscarded())) {
      branch.rollback();
      transaction.branchEnded();
    }
    if (aborted) {
      replica.aborted(token, this);
      ended = true;
      return;
    }
    Map<String, Long> versions = transaction == null ? Map.of() : transaction.versions();
    replica.executed(token, versions, outcome, outcome instanceof Failure ? List.of() : changes, this);
    // Set last: if reporting throws, for example OutOfMemoryError, close() must roll the changes back.
    ended = true;
  }

  @Override
  public Branch branch() {
    return transaction == null ? null : transaction.branch();
  }

  @Override
  public void commit() {
    if (decide()) {
      try {
        transaction.commit();
      } finally {
        transaction.release();
      }
    }
  }

  @Override
  public void rollback() {
    if (decide()) {
      try {
        transaction.rollBack();
      } finally {
        transaction.release();
      }
    }
  }

  /** Returns true on the first call if there is a transaction to end. */
  private synchronized boolean decide() {
    boolean first = !decided && transaction != null;
    decided = true;
    return first;
  }

  /** For the log: which execution it is, when it was permitted, and how far it is. */
  @Override
  public synchronized String toString() {
    String progress = decided ? "is decided" : ended ? "waits for its decision" : "has not reported its end";
    return "execution " + token + " of " + Instant.ofEpochMilli(began) + ", which " + progress;
  }

  @Override
  public boolean hasEnded() {
    return ended;
  }

  /** If no outcome was reported, rolls the changes back, releases the resource and reports the execution as abandoned. */
  @Override
  public void close() {
    if (!ended) {
      try {
        Branch branch = branch();
        if (branch != null) {
          branch.rollback();
        }
        rollback();
      } finally {
        replica.abandoned(token);
      }
    }
  }
}
