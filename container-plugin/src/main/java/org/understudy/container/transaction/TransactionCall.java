package org.understudy.container.transaction;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.understudy.container.execution.KeyScope;
import org.understudy.container.execution.PermittedExecution;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.decision.Branch;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Outcome;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.runtime.Executions;
import org.understudy.replication.runtime.Proposal;
import org.understudy.wsrf.resource.ResourceTransaction;
import org.understudy.wsrf.resource.ServiceHome;

/**
 * The execution of one call inside a transaction. For the replica it is a read: nothing of it enters the log, and its resource stays locked
 * when it has ended. Belongs to one request.
 */
public final class TransactionCall implements PermittedExecution {
  private static final String UNANSWERED = "a call of it was executed, and its client, which sends no request ids, got no answer";

  private final OpenTransaction transaction;
  private final RequestKey key;
  private final long digest;
  private final boolean update;
  private final Executions replica;
  private final long token;
  private final Executor later;
  private TransactionPart.Place place;
  /** Null until the resource is part of the transaction. */
  private TransactionPart part;
  /** The lock of a resource that is not part of the transaction so far; null otherwise. */
  private ResourceTransaction locked;
  private boolean running;
  private String undone;
  private volatile boolean ended;
  private volatile boolean executed;
  private volatile boolean unanswered;

  /** @param later runs what may block on a database */
  TransactionCall(
      OpenTransaction transaction, RequestKey key, long digest, boolean update, Executions replica, long token, Executor later) {
    this.transaction = transaction;
    this.key = key;
    this.digest = digest;
    this.update = update;
    this.replica = replica;
    this.token = token;
    this.later = later;
  }

  OpenTransaction transaction() {
    return transaction;
  }

  RequestKey key() {
    return key;
  }

  long digest() {
    return digest;
  }

  /** For how long the call may wait for its resource, in milliseconds. */
  public long remainingMs() {
    return transaction.remainingMs();
  }

  /**
   * Finds the resource of the call.
   *
   * @param objects whether the states of the service's objects are captured
   * @return null when the resource is not in the transaction, and must be locked for it
   */
  public ResourceTransaction join(ServiceHome home, KeyScope scope, boolean objects, String resource) {
    place = new TransactionPart.Place(home, scope, objects);
    part = transaction.part(home, resource);
    return part == null ? null : part.resource();
  }

  @Override
  public void entered(ResourceTransaction resource) {
    if (part == null) {
      locked = resource;
      resource.heldBy(transaction);
    }
  }

  @Override
  public void begun() {
    if (part == null) {
      TransactionPart added = new TransactionPart(place, locked);
      locked.coordinate(transaction.participant());
      added.begin(transaction.id());
      transaction.add(added);
      part = added;
      locked = null;
    }
    running = true;
    part.enter(transaction.id());
  }

  /** Captures nothing: the transaction does when it commits. */
  @Override
  public void capture() {
    undone = part.obstacle();
  }

  @Override
  public void end(Outcome outcome) {
    Map<String, Long> versions = part == null ? Map.of() : part.versions();
    // Before the next line: a failure that the client receives meanwhile is seen here, or sees that the call was executed.
    executed = true;
    String why =
        outcome instanceof Failure failure
            ? "a call of it failed (" + failure.sentence() + ")"
            : unanswered && key == null ? UNANSWERED : undone;
    String reason = leave(outcome instanceof Response response ? response : null, why);
    ended = true;
    Outcome reported = reason == null || outcome instanceof Failure ? outcome : transaction.aborted().failure();
    replica.executed(token, versions, reported, List.of(), Proposal.NOTHING);
  }

  private String leave(Response response, String why) {
    String reason = "an operation on one of its resources could not be ended";
    boolean left = false;
    try {
      if (running) {
        running = false;
        part.leave(update);
      }
      undoBeginning();
      left = true;
    } finally {
      // Whatever was thrown, the call is over: else nothing would end the transaction and unlock its resources.
      reason = transaction.ended(this, left ? response : null, left ? why : reason);
    }
    return reason;
  }

  /** Undoes what was begun with a resource that is locked, and has not become part of the transaction. */
  private void undoBeginning() {
    ResourceTransaction begun = locked;
    if (begun == null) {
      return;
    }
    locked = null;
    try {
      Branch branch = begun.branch();
      if (branch != null) {
        branch.rollback();
      }
    } finally {
      try {
        begun.branchEnded();
        begun.rollBack();
      } finally {
        begun.release();
      }
    }
  }

  @Override
  public boolean hasEnded() {
    return ended;
  }

  /**
   * Called when the client of this call receives a failure although the call was executed, or is being executed. Its repetition is
   * recognised by its identity; a call without one could be executed twice, so the transaction is aborted. Does not block.
   */
  public void unanswered(Failure failure) {
    unanswered = true;
    if (executed && key == null && failure.code() != FailureCode.TransactionAborted) {
      later.execute(() -> transaction.abort(UNANSWERED));
    }
  }

  @Override
  public void close() {
    if (!ended) {
      ended = true;
      try {
        leave(null, running ? "a call of it failed before it had ended" : null);
      } finally {
        replica.abandoned(token);
      }
    }
  }
}
