package org.understudy.session;

import org.understudy.replication.core.request.Request;

/** A run that is no request of a client: the manager makes an update of its own. Used by one thread at a time, which waits. */
abstract class OwnUpdate implements Run {
  private final ReplicatedSessionManager manager;
  /** Null between two. */
  private SessionUpdate update;

  OwnUpdate(ReplicatedSessionManager manager) {
    this.manager = manager;
  }

  @Override
  public final boolean executes(SessionTransaction some) {
    return update != null && update.transaction() == some;
  }

  @Override
  public final SessionTransaction transaction() {
    return update.transaction();
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
    Run before = manager.runs().begin(this);
    try (SessionUpdate submitted = new SessionUpdate(manager, request)) {
      update = submitted;
      Submission.Event event = submitted.next();
      while (event instanceof Submission.Event.Granted) {
        work.run();
        event = submitted.propose();
      }
      return event;
    } finally {
      update = null;
      manager.runs().end(before);
    }
  }
}
