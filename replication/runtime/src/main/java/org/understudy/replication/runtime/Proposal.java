package org.understudy.replication.runtime;

import org.understudy.replication.api.decision.Branch;
import org.understudy.replication.api.decision.DecisionId;
import org.understudy.replication.runtime.state.AppliedState;

/**
 * Everything that one execution made, until the strategy decides. Exactly one of {@link #commit} and {@link #rollback} is called, once,
 * by the thread that brings the decision, without the replica's lock. Must not block or throw.
 */
public interface Proposal {
  /** Of an execution that made nothing at this replica, and holds no locks. */
  Proposal NOTHING =
      new Proposal() {
        @Override
        public void commit() {
          // Nothing was made.
        }

        @Override
        public void rollback() {
          // Nothing to undo.
        }
      };

  /**
   * Commits: releases the execution's locks. {@link AppliedState} shows its changes already; they were invisible before.
   */
  void commit();

  /** The part of the changes that a database holds; null for none. The runtime ends it, before it calls {@link #rollback}. */
  default Branch branch() {
    return null;
  }

  /**
   * Every replica of the view has stored the changes that {@link Executions#prepared} reported: the participant may vote for its
   * transaction. May overlap with the decision that ends the proposal.
   *
   * @param id for {@link Replica#decide}
   */
  default void prepared(DecisionId id) {
    // An ordinary execution is not prepared for a coordinator.
  }

  /** Rolls back: drops the changes, then releases the execution's locks. It may be executed again. */
  void rollback();
}
