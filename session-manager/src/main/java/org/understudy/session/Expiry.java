package org.understudy.session;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.runtime.Replica;
import org.understudy.session.record.AttributeException;

/** Ends one expired session for the whole group, by an update in the log. Runs at the replica that has the duty. */
final class Expiry implements Run {
  private static final Logger LOG = LoggerFactory.getLogger(Expiry.class);

  private final ReplicatedSessionManager manager;
  private final Replica replica;
  private SessionTransaction transaction;

  Expiry(ReplicatedSessionManager manager) {
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
    LOG.warn("An expired session has not been ended: {}", failure.sentence());
  }

  /** Ends the session unless a request has used it meanwhile. A refused update is repeated by the next check. */
  void end(String session) throws InterruptedException {
    Submission submission = new Submission(replica, Request.internalUpdate());
    manager.begin(this);
    try {
      while (submission.next() instanceof Submission.Event.Granted granted) {
        transaction = new SessionTransaction(manager, replica, granted.token());
        // Ends a session that has expired, with its listeners.
        transaction.find(session);
        List<StateChange> changes = transaction.capture();
        if (changes.isEmpty()) {
          break;
        }
        SessionTransaction proposed = transaction;
        transaction = null;
        replica.executed(granted.token(), proposed.versions(), Response.EMPTY, changes, proposed);
      }
    } catch (AttributeException | UnavailableSessionException e) {
      LOG.warn("The expired session {} has not been ended: {}", session, e.getMessage());
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
