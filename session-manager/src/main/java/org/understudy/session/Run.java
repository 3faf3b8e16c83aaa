package org.understudy.session;

import org.understudy.replication.core.request.Failure;
import org.understudy.session.http.BufferedResponse;

/** What a thread executes that may use replicated sessions: a request, or an expiry. */
interface Run {
  /** In place of a run: sessions can be read and not changed. */
  Run NONE =
      new Run() {
        @Override
        public SessionTransaction transaction() {
          throw new UnavailableSessionException("The request was executed before. It cannot change the session.");
        }

        @Override
        public boolean isPermitted() {
          return false;
        }

        @Override
        public boolean executes(SessionTransaction some) {
          return false;
        }

        @Override
        public void refuse(Failure failure) {
          // There is nothing to fail.
        }
      };

  /**
   * The transaction of this run; begins it when it has not begun.
   *
   * @throws UnavailableSessionException when the replica permits no execution now
   */
  SessionTransaction transaction();

  /** Whether the run has a transaction, or may ask for one. Otherwise the thread can read sessions as if it were in no run. */
  default boolean isPermitted() {
    return true;
  }

  /** Whether this is the transaction that the run executes now. Begins none. */
  boolean executes(SessionTransaction some);

  /** Whether the request names this session, so that its objects belong to the run wherever they were looked up. */
  default boolean names(String session) {
    return false;
  }

  /** Fails the run, whatever the web application does with the exception that follows. Nothing of it takes effect. */
  void refuse(Failure failure);

  /** Whether the run has failed, and its failure is the answer to the request. */
  default boolean isRefused() {
    return false;
  }

  /** The answer that is held back until the session is stable; null for none. */
  default BufferedResponse answer() {
    return null;
  }

  /** A RewriteValve of the web application has passed the request through all valves once more, and this second pass leaves it. */
  default void leaveRewritten() {
    // Tomcat's host reports an error.
  }
}
