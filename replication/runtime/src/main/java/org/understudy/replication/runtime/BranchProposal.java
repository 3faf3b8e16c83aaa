package org.understudy.replication.runtime;

import org.understudy.replication.api.decision.Branch;
import org.understudy.replication.api.decision.DecisionId;
import org.understudy.replication.runtime.decision.DecisionMaker;

/** A proposal with a part in a database: its rollback rolls that part back first, on a thread that may block. */
record BranchProposal(Proposal proposal, DecisionMaker decisions) implements Proposal {
  /** Returns the proposal itself when no database has a part of it. */
  static Proposal of(Proposal proposal, DecisionMaker decisions) {
    if (proposal.branch() == null) {
      return proposal;
    }
    if (decisions == null) {
      throw new IllegalStateException("This replica has no database that decides updates.");
    }
    return new BranchProposal(proposal, decisions);
  }

  @Override
  public Branch branch() {
    return proposal.branch();
  }

  @Override
  public void prepared(DecisionId id) {
    proposal.prepared(id);
  }

  @Override
  public void commit() {
    proposal.commit();
  }

  @Override
  public void rollback() {
    decisions.rollBack(proposal.branch(), proposal::rollback);
  }
}
