package org.understudy.replication.core.group;

import org.understudy.replication.api.ReplicaId;

/** As sequencer: counts how many updates in succession one member has proposed, and no other. */
final class SoleProposer {
  private ReplicaId last;
  private int succession;

  /** Called when an update of this member has its place. */
  void placed(ReplicaId proposer) {
    succession = proposer.equals(last) ? succession + 1 : 1;
    last = proposer;
  }

  /** Whether the last updates, at least as many, are of one member. */
  boolean since(int updates) {
    return succession >= updates;
  }

  /** The member that has proposed last, or null. */
  ReplicaId last() {
    return last;
  }

  /** Called when a member has clients: if it is another one, the succession begins anew. */
  void hasClients(ReplicaId member) {
    succession = member.equals(last) ? succession : 0;
  }

  /** Called when this replica enters a view. */
  void enter() {
    succession = 0;
    last = null;
  }
}
