package org.understudy.replication.runtime.transaction;

import java.util.List;
import org.understudy.replication.api.decision.InDoubt;

/** Receives what a new primary holds in doubt. */
@FunctionalInterface
public interface InDoubtListener {
  /**
   * Called when this replica is primary and its view has begun, with the updates that former primaries have prepared for coordinators.
   * Never empty. Called again for each view that begins while some are in doubt. No request that the new primary executes is permitted
   * before this returns, except by another thread; the replica itself refuses executions that use the resources of these updates. Must
   * not block.
   */
  void inDoubt(List<InDoubt> updates);
}
