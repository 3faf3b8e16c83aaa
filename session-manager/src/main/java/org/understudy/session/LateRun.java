package org.understudy.session;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import java.util.List;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.runtime.Replica;
import org.understudy.session.record.AttributeException;

/**
 * What the web application does for a request whose {@link Exchange} has ended: a dispatch of an asynchronous request, or the end of such
 * a request for its listeners. What it changes in the session is an update of its own. It cannot run again, so the update fails if another
 * replica has changed the session meanwhile. Belongs to one thread.
 */
final class LateRun implements Run, AutoCloseable {
  private final ReplicatedSessionManager manager;
  private final Replica replica;
  private final HttpServletRequest request;
  private final Run before;
  private Submission submission;
  private SessionTransaction transaction;
  private Failure refusal;

  /** Begins the run; {@link #close} ends it. */
  LateRun(ReplicatedSessionManager manager, HttpServletRequest request) {
    this.manager = manager;
    this.replica = manager.replica();
    this.request = request;
    this.before = manager.runs().begin(this);
  }

  @Override
  public boolean executes(SessionTransaction some) {
    return transaction != null && transaction == some;
  }

  /** Waits for the permission to execute when the run uses a session for the first time. */
  @Override
  public boolean isPermitted() {
    if (transaction == null && refusal == null) {
      submission = new Submission(replica, Request.serviceUpdate());
      try {
        Submission.Event event = submission.next();
        if (event instanceof Submission.Event.Granted granted) {
          transaction = new SessionTransaction(manager, replica, granted.token());
        } else if (event instanceof Submission.Event.Failed failed) {
          refusal = failed.failure();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        refusal = interrupted();
      }
    }
    return transaction != null;
  }

  private static Failure interrupted() {
    return new Failure(FailureCode.OutcomeUnknown, "The server is being stopped.");
  }

  @Override
  public SessionTransaction transaction() {
    if (!isPermitted()) {
      throw new UnavailableSessionException("The session cannot be used: " + refusal.sentence());
    }
    return transaction;
  }

  @Override
  public boolean names(String session) {
    HttpSession own = request.getSession(false);
    return own != null && own.getId().equals(session);
  }

  @Override
  public void refuse(Failure failure) {
    refusal = failure;
  }

  /**
   * Makes the update of what has been changed, and waits until it is stable.
   *
   * @return null when nothing has been changed, or the update is stable; else why it has no effect
   */
  Failure store() {
    if (transaction == null || !transaction.isUsed()) {
      return null;
    }
    if (refusal != null) {
      return refusal;
    }
    try {
      List<StateChange> changes = transaction.capture();
      if (changes.isEmpty()) {
        transaction.commit();
        return null;
      }
      SessionTransaction proposed = transaction;
      transaction = null;
      replica.executed(proposed.token(), proposed.versions(), Response.EMPTY, changes, proposed);
      return result(submission.next());
    } catch (AttributeException e) {
      return new Failure(FailureCode.ExecutionFailed, e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return interrupted();
    }
  }

  private Failure result(Submission.Event event) {
    if (event instanceof Submission.Event.Failed failed) {
      return failed.failure();
    }
    if (event instanceof Submission.Event.Granted granted) {
      transaction = new SessionTransaction(manager, replica, granted.token());
      return new Failure(FailureCode.NotReady, "The session was changed at another replica meanwhile.");
    }
    manager.statistics().update();
    return null;
  }

  /** Ends the run. What has not been stored is undone. */
  @Override
  public void close() {
    manager.runs().end(before);
    if (transaction != null) {
      transaction.rollback();
      replica.abandoned(transaction.token());
    }
    if (submission != null) {
      submission.close();
    }
  }
}
