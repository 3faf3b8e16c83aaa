package org.understudy.container.transaction;

import java.util.Set;

/**
 * The part of this group in transactions that a coordinator decides, as seen at this replica. A coordinator's adapter calls it. All
 * methods may block for rounds to the backups, so call them on the adapter's own threads. Repeated calls are harmless. Thread-safe.
 */
public interface TransactionParticipant {
  /**
   * Makes the changes of a transaction stable without effect, at the primary. At a backup it waits until the primary has done so.
   *
   * @return {@link Vote#PREPARED} only when every replica of the view holds the changes; the objects are then locked until
   *     {@link #commit} or {@link #abort}, whatever fails
   * @throws IllegalStateException when this replica does not know in time whether the changes are stable, so that no vote is true: ask
   *     again
   * @throws InterruptedException when the thread is interrupted; the transaction may be prepared, so ask {@link #isPrepared}
   */
  Vote prepare(String transaction) throws InterruptedException;

  /**
   * Gives the changes of a prepared transaction their effect, by the coordinator's decision. Returns when the effect is stable. Without
   * effect for a transaction that is unknown or has taken effect.
   *
   * @throws ContradictedDecisionException when an operator has aborted it here; do not acknowledge
   * @throws IllegalStateException when this replica cannot make the decision stable now; the transaction stays in doubt, so call again
   */
  void commit(String transaction);

  /**
   * Undoes the changes of an open or prepared transaction, by the coordinator's decision. Without effect for one that is unknown.
   *
   * @throws ContradictedDecisionException when an operator has committed it here; do not acknowledge
   * @throws IllegalStateException as for {@link #commit}
   */
  void abort(String transaction);

  /** Whether this replica is in its group's view: a transaction that it does not know has then ended, or never began. */
  boolean isMember();

  /**
   * Whether the group knows all that it has voted for. Not after all replicas have lost their memory, while the group's database may have
   * prepared parts: a transaction that is unknown here may be one of them, so do not answer its coordinator then.
   */
  default boolean knowsVotes() {
    return true;
  }

  /** The number of the replica that decides for the group now, which may be this one; 0 while none is known. */
  int primary();

  /** Whether this replica holds the prepared changes of a transaction whose decision it does not know. */
  boolean isPrepared(String transaction);

  /**
   * The transactions that are prepared here, and whose decision this replica does not know. At the primary also those of which only the
   * part of the database is prepared, because all replicas have lost their memory.
   */
  Set<String> inDoubt();
}
