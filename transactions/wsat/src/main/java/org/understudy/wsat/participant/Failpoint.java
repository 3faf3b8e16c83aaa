package org.understudy.wsat.participant;

/** A step of a participant between two messages. Tests kill the replica there. */
enum Failpoint {
  /** Prepare has arrived. */
  BEFORE_PREPARE,
  /** The vote is stable in the group and not sent. */
  BEFORE_VOTE,
  /** The vote has been sent. */
  AFTER_VOTE,
  /** Commit has arrived. */
  BEFORE_COMMIT,
  /** The commit is stable in the group and not acknowledged. */
  BEFORE_COMMITTED,
  /** Committed has been sent. */
  AFTER_COMMITTED,
  /** Rollback has arrived. */
  BEFORE_ROLLBACK,
  /** The abort is stable in the group and not acknowledged. */
  BEFORE_ABORTED,
  /** Aborted has been sent. */
  AFTER_ABORTED;

  /** Called at each step. */
  @FunctionalInterface
  interface Listener {
    /** Does nothing. */
    Listener NONE = step -> {};

    void reached(Failpoint step);
  }
}
