package org.understudy.replication.api;

/**
 * A state that takes part in transactions of several operations by itself, for example because it records updates or uses a database. The
 * container calls it in the order of its methods, and with {@link #enter} and {@link #leave} around each operation of the transaction.
 * Others find the state locked meanwhile. A state without this interface is captured once, when the transaction commits.
 *
 * <p>Called by one thread at a time for one object, like {@link StateCapture}. No method blocks.
 */
public interface TransactionalState {
  /** Begins a transaction, outside any operation. */
  void startTransaction(String transaction);

  /** The next operation belongs to the transaction. */
  void enter(String transaction);

  /** The operation has ended. */
  void leave();

  /**
   * Completes the transaction: what it has changed is part of the next update.
   *
   * @throws IllegalStateException when the transaction can only be aborted, because an operation of it was undone
   */
  void commitTransaction(String transaction);

  /** Undoes the transaction. Does nothing for another one. */
  void abortTransaction(String transaction);
}
