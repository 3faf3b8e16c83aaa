package org.understudy.replication.simulation;

import org.understudy.replication.api.decision.Branch;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.api.decision.DecisionId;

/**
 * A transaction in the simulated database, which changes one cell. {@link SimulatedDecisions} ends it, in steps instead of by calls that
 * block.
 *
 * @param operation that is executed
 * @param before what the transaction read
 * @param after what it writes
 */
record SimulatedBranch(
    SimulatedDatabase database,
    String resource,
    int operation,
    SimulatedDatabase.Cell before,
    SimulatedDatabase.Cell after) implements Branch {
  @Override
  public Decision commit(DecisionId id, byte[] key, byte[] response) {
    throw new IllegalStateException("Simulated transactions commit in steps.");
  }

  @Override
  public void rollback() {
    database.rollBack(this);
  }

  @Override
  public boolean isAborted() {
    return false;
  }
}
