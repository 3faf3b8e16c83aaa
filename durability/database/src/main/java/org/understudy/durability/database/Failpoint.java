package org.understudy.durability.database;

/** A step of a commit. Tests stop, cut or kill there. */
enum Failpoint {
  /** The statements of the operation are executed; the row of the decision is not written. */
  BEFORE_ROW,
  /** The row is written and the epoch is locked; COMMIT is not sent. */
  BEFORE_COMMIT,
  /** The database has answered COMMIT; the caller does not know yet. */
  AFTER_COMMIT,
  /** The row of a branch for a coordinator exists; the branch has not marked it. */
  BEFORE_MARK,
  /** The branch has marked its row; it is not prepared. */
  BEFORE_PREPARE,
  /** The database has answered the preparation; the caller does not know yet. */
  AFTER_PREPARE;

  /** Called at each step. */
  @FunctionalInterface
  interface Listener {
    /** Does nothing. */
    Listener NONE = step -> {};

    void reached(Failpoint step);
  }
}
