package org.understudy.session;

import org.understudy.replication.core.request.Failure;
import org.understudy.session.http.BufferedResponse;

/** What a thread executes that may use replicated sessions: a request, or an expiry. */
interface Run {
  /**
   * The transaction of this run; begins it when it has not begun.
   *
   * @throws UnavailableSessionException when the replica permits no execution now
   */
  SessionTransaction transaction();

  /** Whether this is the transaction that the run executes now. Begins none. */
  boolean executes(SessionTransaction some);

  /** Whether the request names this session, so that its objects belong to the run wherever they were looked up. */
  default boolean names(String session) {
    return false;
  }

  /** Fails the run, whatever the web application does with the exception that follows. Nothing of it takes effect. */
  void refuse(Failure failure);

  /** The answer that is held back until the session is stable; null for none. */
  default BufferedResponse answer() {
    return null;
  }
}
