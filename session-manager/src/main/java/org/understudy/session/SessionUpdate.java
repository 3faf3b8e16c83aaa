package org.understudy.session;

import java.util.List;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.runtime.Replica;

/**
 * An update that is no request of a client: its submission, and the transaction of the execution that is permitted. What has not been
 * proposed is undone by {@link #close}. Belongs to one thread, which waits for the replica.
 */
final class SessionUpdate implements AutoCloseable {
  private final ReplicatedSessionManager manager;
  private final Replica replica;
  private final Request request;
  private Submission submission;
  private SessionTransaction transaction;

  SessionUpdate(ReplicatedSessionManager manager, Request request) {
    this.manager = manager;
    this.replica = manager.replica();
    this.request = request;
    this.submission = new Submission(replica, request);
  }

  /** Waits for the permission to execute, or the end of the submission. */
  Submission.Event next() throws InterruptedException {
    Submission.Event event = submission.next();
    transaction =
        event instanceof Submission.Event.Granted granted ? new SessionTransaction(manager, replica, granted.token()) : null;
    return event;
  }

  /** The transaction of the permitted execution; null before {@link #next}, and when none is permitted. */
  SessionTransaction transaction() {
    return transaction;
  }

  /**
   * Proposes what the transaction has changed, and waits for the group's answer.
   *
   * @return null when nothing has been changed. After {@link Submission.Event.Granted}, which follows a conflict or an execution that is
   *     outdated, there is another transaction
   * @throws org.understudy.session.record.AttributeException when an attribute cannot be replicated
   */
  Submission.Event propose() throws InterruptedException {
    List<StateChange> changes;
    try {
      changes = transaction.isOutdated() ? null : transaction.capture();
    } catch (UnavailableSessionException e) {
      changes = null;
    }
    if (changes == null) {
      return again();
    }
    if (changes.isEmpty()) {
      transaction.commit();
      return null;
    }
    replica.executed(transaction.token(), transaction.versions(), Response.EMPTY, changes, transaction);
    // Set last: if reporting throws, the changes are rolled back by close.
    transaction = null;
    return next();
  }

  /** Undoes an execution that is outdated, and waits for another permission. */
  private Submission.Event again() throws InterruptedException {
    SessionTransaction outdated = transaction;
    close();
    String occupied = outdated.awaitOther();
    if (occupied != null) {
      return new Submission.Event.Failed(new Failure(FailureCode.Overloaded, occupied));
    }
    submission = new Submission(replica, request);
    return next();
  }

  @Override
  public void close() {
    if (transaction != null) {
      transaction.rollback();
      replica.abandoned(transaction.token());
      transaction = null;
    }
    submission.close();
  }
}
