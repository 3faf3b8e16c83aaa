package org.understudy.session;

import java.util.List;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.runtime.Replica;

/** A run that is no request of a client: the manager makes an update of its own. Used by one thread at a time, which waits. */
abstract class OwnUpdate implements Run {
  private final ReplicatedSessionManager manager;
  private final Replica replica;
  private SessionTransaction transaction;

  OwnUpdate(ReplicatedSessionManager manager) {
    this.manager = manager;
    this.replica = manager.replica();
  }

  @Override
  public final boolean executes(SessionTransaction some) {
    return transaction == some;
  }

  @Override
  public final SessionTransaction transaction() {
    return transaction;
  }

  final ReplicatedSessionManager manager() {
    return manager;
  }

  /**
   * Makes the update, and waits for the group's answer.
   *
   * @param work runs in a transaction; again after a conflict. What it throws passes, and nothing takes effect
   * @return null when the work has changed nothing, so that there is no update
   */
  final Submission.Event execute(Request request, Runnable work) throws InterruptedException {
    Submission submission = new Submission(replica, request);
    Run before = manager.runs().begin(this);
    try {
      Submission.Event event = submission.next();
      while (event instanceof Submission.Event.Granted granted) {
        transaction = new SessionTransaction(manager, replica, granted.token());
        work.run();
        List<StateChange> changes = transaction.capture();
        if (changes.isEmpty()) {
          return null;
        }
        SessionTransaction proposed = transaction;
        transaction = null;
        replica.executed(granted.token(), proposed.versions(), Response.EMPTY, changes, proposed);
        event = submission.next();
      }
      return event;
    } finally {
      manager.runs().end(before);
      if (transaction != null) {
        transaction.rollback();
        replica.abandoned(transaction.token());
        transaction = null;
      }
      submission.close();
    }
  }
}
