package org.understudy.replication.api.decision;

import java.util.List;

/**
 * Prepared branches of a group in its database, which survive the process that prepared them. Thread-safe. Every method blocks, and throws
 * {@link DecisionStoreException} when the database does not answer in time: nothing is known then, and the caller calls again later.
 */
public interface BranchStore {
  /** How many branches are read at once, at most. */
  int PAGE = 100;

  /** The epoch that {@link DecisionStore#fence} has returned to this replica last; 0 before. Does not block. */
  long epoch();

  /**
   * Ends a prepared branch as the coordinator of its transaction has decided. Can be repeated. {@link Decision#ABORTED} also removes the
   * record of the branch, and a branch that is not prepared never can be prepared later.
   *
   * @throws StaleStoreException when the branch is to be committed, and the database has neither the branch nor its committed row: it was
   *     restored from a backup, or somebody else has ended the branch
   * @throws DecisionStoreException also when the branch is to be aborted and is committed
   */
  void end(BranchId id, Decision decision);

  /**
   * The next branches of this group, up to the epoch of this replica, whose records {@link #forget} has not removed, in the order of their
   * ids. At most {@value #PAGE}, because each record has up to {@link ParticipantRecord#MAX_BYTES}.
   *
   * @param after the last one that was returned; null for the first ones
   * @return empty when there are no more
   */
  List<KnownBranch> known(BranchId after);

  /** Removes the record of a branch that has ended, whose end is stable in the group's log. */
  void forget(BranchId id);
}
