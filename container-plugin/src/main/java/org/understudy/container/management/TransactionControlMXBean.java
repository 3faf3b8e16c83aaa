package org.understudy.container.management;

/**
 * Operations on transactions that are in doubt, through JMX. The MBean is named {@code
 * org.understudy:type=Transactions,group=…,replica=…}. See {@code docs/operations.md}.
 */
public interface TransactionControlMXBean {
  /**
   * Returns a line for each transaction that is open here, in doubt here, or committed by this group and not acknowledged by others, with
   * its age. Works at any replica; only the primary knows open ones, which decisions are final, and what is prepared in the database only.
   */
  String report();

  /** Returns the ids of the transactions that are prepared and undecided, a line for each. Works at any replica. */
  String inDoubt();

  /**
   * Commits a transaction in doubt by hand, whatever its coordinator decides. Works only at the replica that executes updates.
   *
   * @param transaction as {@link #inDoubt} prints it
   * @return a sentence that confirms the decision, once it is stable
   * @throws IllegalArgumentException when no such transaction is in doubt
   * @throws IllegalStateException when this replica does not execute updates, or the decision cannot be made stable now
   */
  String commit(String transaction);

  /** Aborts a transaction in doubt by hand; otherwise as {@link #commit}. */
  String abort(String transaction);

  /**
   * Forgets what an operator has decided, after the data is repaired: the coordinator's messages are acknowledged afterwards. Works only at
   * the replica that executes updates.
   *
   * @return a sentence that confirms it, once it is stable
   * @throws IllegalArgumentException when no operator has decided this transaction
   * @throws IllegalStateException when this replica does not execute updates, the transaction is still in doubt, or the removal cannot be
   *     made stable now
   */
  String forget(String transaction);
}
