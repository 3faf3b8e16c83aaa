package org.understudy.session;

import java.util.List;
import org.apache.catalina.Session;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.runtime.Replica;

/**
 * Creates a session for a thread that is in no {@link Exchange}, by an update of its own: an error page of {@code web.xml}, or a
 * listener of requests. The session is stable when it is returned, and nothing but its creation is replicated.
 */
final class LateCreation implements Run {
  private final ReplicatedSessionManager manager;
  private final Replica replica;
  private SessionTransaction transaction;

  LateCreation(ReplicatedSessionManager manager) {
    this.manager = manager;
    this.replica = manager.replica();
  }

  @Override
  public boolean executes(SessionTransaction some) {
    return transaction == some;
  }

  @Override
  public SessionTransaction transaction() {
    return transaction;
  }

  @Override
  public void refuse(Failure failure) {
    throw new UnavailableSessionException("No session can be created: " + failure.sentence());
  }

  /** @throws UnavailableSessionException when the group does not execute the update now */
  Session create() {
    Submission submission = new Submission(replica, Request.serviceUpdate());
    manager.begin(this);
    try {
      Session session = null;
      Submission.Event event = submission.next();
      while (event instanceof Submission.Event.Granted granted) {
        transaction = new SessionTransaction(manager, replica, granted.token());
        session = manager.createWithin();
        List<StateChange> changes = transaction.capture();
        SessionTransaction proposed = transaction;
        transaction = null;
        replica.executed(granted.token(), proposed.versions(), Response.EMPTY, changes, proposed);
        event = submission.next();
      }
      if (event instanceof Submission.Event.Failed failed) {
        refuse(failed.failure());
      }
      return session;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnavailableSessionException("The server is being stopped.");
    } finally {
      manager.end();
      if (transaction != null) {
        transaction.rollback();
        replica.abandoned(transaction.token());
        transaction = null;
      }
      submission.close();
    }
  }
}
