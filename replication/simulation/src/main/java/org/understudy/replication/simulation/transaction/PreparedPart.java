package org.understudy.replication.simulation.transaction;

import org.understudy.replication.api.decision.BranchId;
import org.understudy.replication.api.decision.DecisionId;

/** What a transaction has prepared in a group, as its primary knows. */
final class PreparedPart {
  final DecisionId id;
  final String part;
  /** Null for none. */
  final BranchId branch;
  long askAt;

  PreparedPart(DecisionId id, String part, BranchId branch, long askAt) {
    this.id = id;
    this.part = part;
    this.branch = branch;
    this.askAt = askAt;
  }
}
