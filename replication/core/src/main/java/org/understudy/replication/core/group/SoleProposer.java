package org.understudy.replication.core.group;

import org.understudy.replication.api.ReplicaId;

/** As sequencer: counts the updates of one member in succession, and those since another one has asked what is stable. */
final class SoleProposer {
  private ReplicaId last;
  private long succession;
  private long unasked;

  /** Called when an update of this member has its place. */
  void placed(ReplicaId proposer) {
    if (!proposer.equals(last)) {
      last = proposer;
      succession = 0;
      unasked = 0;
    }
    succession++;
    unasked++;
  }

  /** Whether the last updates, at least as many, are of one member. */
  boolean proposes(int updates) {
    return succession >= updates;
  }

  /** Whether besides no other member has asked what is stable meanwhile, so that none seems to have clients. */
  boolean isAlone(int updates) {
    return unasked >= updates;
  }

  /** Called when a member asks what is stable. */
  void asks(ReplicaId member) {
    unasked = member.equals(last) ? unasked : 0;
  }

  /** Called when this replica enters a view. */
  void enter() {
    last = null;
    succession = 0;
    unasked = 0;
  }
}
