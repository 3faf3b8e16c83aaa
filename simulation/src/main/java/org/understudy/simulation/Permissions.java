package org.understudy.simulation;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.understudy.replication.core.request.Outcome;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.runtime.Executions;
import org.understudy.replication.runtime.Proposal;

/** The executions that a replica has permitted and that have not ended. */
final class Permissions implements Executions {
  private final Executions replica;
  private final boolean allStand;
  private final Set<Long> open = new TreeSet<>();

  /** @param allStand for a mutant: rolled back executions are not undone */
  Permissions(Executions replica, boolean allStand) {
    this.replica = replica;
    this.allStand = allStand;
  }

  void granted(long token) {
    open.add(token);
  }

  int open() {
    return open.size();
  }

  @Override
  public int wire() {
    return replica.wire();
  }

  @Override
  public void executed(
      long token, Map<String, Long> versions, Outcome outcome, List<StateChange> changes, Proposal proposal) {
    open.remove(token);
    replica.executed(token, versions, outcome, changes, allStand ? standing(proposal) : proposal);
  }

  private static Proposal standing(Proposal proposal) {
    return new Proposal() {
      @Override
      public void commit() {
        proposal.commit();
      }

      @Override
      public void rollback() {
        proposal.commit();
      }
    };
  }

  @Override
  public void abandoned(long token) {
    open.remove(token);
    replica.abandoned(token);
  }
}
