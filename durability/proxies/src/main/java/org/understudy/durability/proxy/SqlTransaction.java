package org.understudy.durability.proxy;

/** A database transaction that includes several operations, and that its user ends. */
public interface SqlTransaction extends SqlAction {
  /** Commits. Afterwards the transaction cannot be used. */
  void commit();

  /** Rolls back. Afterwards the transaction cannot be used. Never throws; does nothing when the transaction has ended. */
  void rollback();
}
