package org.understudy.replication.api.decision;

import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * A database in which rows decide updates. It has one epoch row, and one row for each committed decision until {@link #forget} removes
 * it. Every replica of a group uses the same database.
 *
 * <p>Thread-safe. Every method blocks, and is called on threads of the container that do nothing else. Every method may throw {@link
 * DecisionStoreException}, when the database does not answer in time or reports an error; the container calls it again later.
 */
public interface DecisionStore {
  /**
   * Raises the epoch row, before a primary serves anything. On return, no transaction of a lower epoch is open that could still commit:
   * this waits for older transactions or ends them. Can be repeated with the same epoch.
   *
   * @param epoch of the view; 0 for a replica that keeps no records: then the store raises the row by one, also when this is repeated
   * @param last the highest decision that the group knows to have committed, or null. A database that does not have its row, or whose
   *     epoch row is lower, was restored from an old backup
   * @return the epoch that now stands in the row
   * @throws FencedException when a higher epoch stands in the row; checked first
   * @throws StaleStoreException when the database is older than the group's state
   */
  long fence(long epoch, DecisionId last);

  /** Returns which of these updates have committed. The others never will. Called only after {@link #fence} with a higher epoch. */
  Set<DecisionId> committed(Collection<DecisionId> prepared);

  /**
   * Decides an update whose commit had an unknown outcome: waits for a transaction that has written the row of this id or ends it, and
   * returns {@link Decision#COMMITTED} if the row is there. Otherwise makes sure that no transaction can commit the id later, for example
   * by a committed row that says ABORTED, and returns {@link Decision#ABORTED}. Reading the row alone is not enough: the server may still
   * be executing the lost COMMIT.
   */
  Decision resolve(DecisionId id);

  /**
   * Removes rows that are not needed any more: those of lower epochs, and in its epoch those of lower decisions of the same kind ({@link
   * DecisionId#isOnePhase}). A row of its epoch by which {@link #resolve} keeps a late COMMIT from taking effect stays. Called from time
   * to time; may be delayed. Never called for a row that {@link #fence} may be called with.
   *
   * @param keptFrom rows with a request key from this one on, as unsigned bytes in lexicographic order, stay; null: none does
   */
  void forget(DecisionId below, byte[] keptFrom);

  /**
   * Reads rows of committed decisions whose request has a key, in ascending order of their ids: the first ones after an id. Called only
   * after {@link #fence}.
   *
   * @param after null for the beginning
   * @return fewer than all when there are many or they are large; empty at the end
   */
  List<DecidedRow> rows(DecisionId after);

  /**
   * Whether the database answers now. Called by one thread again and again; blocks for some seconds at most, and does not throw. True where
   * that cannot be found out.
   */
  default boolean answers() {
    return true;
  }

  /** The branches that are prepared for coordinators of transactions; null when the database cannot prepare branches. */
  default BranchStore branches() {
    return null;
  }
}
