package org.understudy.session;

import org.understudy.replication.core.request.Failure;
import org.understudy.session.http.BufferedResponse;

/** The run of each thread. Thread-safe. */
final class Runs {
  private final ThreadLocal<Run> running = new ThreadLocal<>();

  /**
   * Begins a run of the calling thread.
   *
   * @return the run that it is part of, for {@link #end}; null for none
   */
  Run begin(Run run) {
    Run before = running.get();
    running.set(run);
    return before;
  }

  /** Ends the run of the calling thread, and goes on with the one that it was part of; null for none. */
  void end(Run before) {
    if (before == null) {
      running.remove();
    } else {
      running.set(before);
    }
  }

  /** The run of the calling thread; null for none. */
  Run current() {
    return running.get();
  }

  /** The run of the calling thread, if it may use sessions; else null. */
  Run permitted() {
    Run run = running.get();
    return run != null && run.isPermitted() ? run : null;
  }

  /** Whether the calling thread executes this transaction. */
  boolean executes(SessionTransaction transaction) {
    Run run = running.get();
    return run != null && run.executes(transaction);
  }

  /** Adds the session with this id to the calling thread's transaction, if its request names it: a listener may have had it before. */
  void enter(String id) {
    Run run = running.get();
    if (run != null && run.names(id) && run.isPermitted()) {
      run.transaction().find(id);
    }
  }

  /** An attribute of a session that the calling thread does not use, as it is stable; null for none. */
  Object copy(ReplicatedSessionManager manager, String id, String name) {
    Run run = permitted();
    return run == null || !manager.isKnown(id) ? manager.committedAttribute(id, name) : run.transaction().copy(id, name);
  }

  /** Adds the session with this id, which the request does not name, to the calling thread's transaction, if it has one. */
  void enterOther(String id) {
    Run run = permitted();
    if (run != null) {
      run.transaction().findOther(id);
    }
  }

  /** The answer of the calling thread's run that is held back; null for none. */
  BufferedResponse heldAnswer() {
    Run run = running.get();
    return run == null ? null : run.answer();
  }

  /** Fails the run of the calling thread. */
  void refuse(Failure failure) {
    Run run = running.get();
    if (run != null) {
      run.refuse(failure);
    }
  }
}
