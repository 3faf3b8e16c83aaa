package org.understudy.replication.api.decision;

/**
 * A service object, part of whose state is in a database. Its operations change that part in a {@link Branch}. The container fences the
 * database when this replica becomes primary, and serves nothing before that. A group has at most one such database.
 */
public interface DatabaseBacked {
  /** The store that decides the updates of this service. Always the same; called once, before the first request. */
  DecisionStore decisionStore();

  /**
   * Whether the service keeps all its state in the database, at every replica. Then an operation that has changed nothing else commits in
   * one phase: its row alone decides and keeps its answer, and no message to other replicas precedes the answer. Always the same.
   */
  default boolean isDatabaseOnly() {
    return false;
  }

  /**
   * Does what {@link #reload} would do and needs no fence: connects, for example. Called at every replica from its deployment on, by a
   * thread of the container beside operations, until it returns true. May block.
   *
   * @return false to be called again
   * @throws DecisionStoreException when the database does not answer; the container calls this again later
   */
  default boolean prepareDatabase() {
    return true;
  }

  /**
   * Loads from the database what the service keeps of it in memory. Called when this replica has become primary, after {@link
   * DecisionStore#fence} and {@link DecisionStore#committed} and before any operation. Blocks; never called during an operation.
   *
   * @throws DecisionStoreException when the database does not answer; the container fences and calls this again later
   */
  void reload();

  /**
   * Called at the primary when a branch that another replica has executed is committed: what the service keeps of the database in memory is
   * loaded again before its next use. Called beside operations; may block for a moment.
   */
  default void databaseChanged() {
    // What is in memory is loaded for each operation.
  }
}
