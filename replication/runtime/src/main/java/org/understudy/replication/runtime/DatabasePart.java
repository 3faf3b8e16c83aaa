package org.understudy.replication.runtime;

import org.understudy.replication.core.ReplicaStatus;
import org.understudy.replication.core.Role;
import org.understudy.replication.runtime.decision.DecisionMaker;

/** The database that decides updates of a replica, if there is one. Thread-safe; no method blocks. */
final class DatabasePart {
  private final boolean supported;
  /** Null when no database decides updates. */
  private volatile DecisionMaker decisions;

  /** @param supported whether the strategy supports updates that a database decides */
  DatabasePart(boolean supported) {
    this.supported = supported;
  }

  /** @throws IllegalStateException when the strategy does not support such updates */
  void use(DecisionMaker maker) {
    requireSupport();
    decisions = maker;
  }

  /** @throws IllegalStateException when the strategy does not support updates that are prepared, and decided later */
  void requireSupport() {
    if (!supported) {
      throw new IllegalStateException(
          "The strategy supports neither state in a database that decides updates nor transactions. Use primary-backup or none.");
    }
  }

  boolean isUsed() {
    return decisions != null;
  }

  /** The proposal with its part in the database, if it has one. */
  Proposal whole(Proposal proposal) {
    return BranchProposal.of(proposal, decisions);
  }

  /** Why the primary of this status serves nothing although it has a majority; null in other cases. */
  String blocked(ReplicaStatus status) {
    DecisionMaker maker = decisions;
    if (maker == null || status.role() != Role.PRIMARY || status.writable()) {
      return null;
    }
    String unfenced = maker.unfenced(status.view().epoch());
    return unfenced == null ? silent() : unfenced;
  }

  /** Why the database cannot be used now; null while it answers, or there is none. */
  String silent() {
    DecisionMaker maker = decisions;
    return maker == null ? null : maker.silent();
  }

  void close() {
    DecisionMaker maker = decisions;
    if (maker != null) {
      maker.close();
    }
  }
}
