package org.understudy.session;

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
}
