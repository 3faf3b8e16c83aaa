package org.understudy.session;

import org.apache.catalina.Session;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Request;

/**
 * Creates a session for a thread that is in no {@link Exchange}, by an update of its own: an error page of {@code web.xml}, or a
 * listener of requests. The session is stable when it is returned, and nothing but its creation is replicated.
 */
final class LateCreation extends OwnUpdate {
  private Session created;

  LateCreation(ReplicatedSessionManager manager) {
    super(manager);
  }

  @Override
  public void refuse(Failure failure) {
    throw new UnavailableSessionException("No session can be created: " + failure.sentence());
  }

  /** @throws UnavailableSessionException when the group does not execute the update now */
  Session create() {
    try {
      if (execute(Request.serviceUpdate(), () -> created = manager().createWithin()) instanceof Submission.Event.Failed failed) {
        refuse(failed.failure());
      }
      return created;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnavailableSessionException("The server is being stopped.");
    }
  }
}
