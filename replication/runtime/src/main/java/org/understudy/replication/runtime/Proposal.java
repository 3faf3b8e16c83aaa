package org.understudy.replication.runtime;

import org.understudy.replication.api.decision.Branch;
import org.understudy.replication.runtime.state.AppliedState;

/**
 * Everything that one execution made, until the strategy decides. Exactly one of the methods is called, once, by the thread
 * that brings the decision, without the replica's lock. Must not block or throw.
 */
public interface Proposal {
  /**
   * Commits: releases the execution's locks. {@link AppliedState} shows its changes already; they were invisible before.
   */
  void commit();

  /** The part of the changes that a database holds; null for none. The runtime ends it, before it calls {@link #rollback}. */
  default Branch branch() {
    return null;
  }

  /** Rolls back: drops the changes, then releases the execution's locks. It may be executed again. */
  void rollback();
}
