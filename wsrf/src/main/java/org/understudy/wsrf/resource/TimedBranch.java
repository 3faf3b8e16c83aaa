package org.understudy.wsrf.resource;

import org.understudy.replication.api.decision.Branch;
import org.understudy.replication.api.decision.BranchId;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.api.decision.DecisionId;
import org.understudy.replication.api.decision.ParticipantRecord;

/** A branch that measures how long its commit takes. */
public final class TimedBranch implements Branch {
  private final Branch branch;
  private volatile long commitNanos;

  TimedBranch(Branch branch) {
    this.branch = branch;
  }

  /** How long the commit took, with the row of the decision; 0 before it has ended. May be called by any thread. */
  public long commitNanos() {
    return commitNanos;
  }

  @Override
  public Decision commit(DecisionId id, byte[] key, byte[] response) {
    long begin = System.nanoTime();
    try {
      return branch.commit(id, key, response);
    } finally {
      commitNanos = System.nanoTime() - begin;
    }
  }

  @Override
  public void rollback() {
    branch.rollback();
  }

  @Override
  public boolean isAborted() {
    return branch.isAborted();
  }

  @Override
  public void coordinate(ParticipantRecord participant) {
    branch.coordinate(participant);
  }

  @Override
  public BranchId prepare() {
    return branch.prepare();
  }
}
