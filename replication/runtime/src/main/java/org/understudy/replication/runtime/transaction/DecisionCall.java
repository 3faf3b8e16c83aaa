package org.understudy.replication.runtime.transaction;

/**
 * Learns what has become of a decision that was given to a replica. Exactly one of its methods is called, once, by the thread that brings
 * the answer. Must not block.
 */
public interface DecisionCall {
  /** Every replica of the view knows the decision: the participant may acknowledge it. */
  void settled();

  /**
   * This replica is not, or no longer, the primary, or no update of this id is prepared here. That says nothing about the decision: the
   * participant acknowledges nothing, and the coordinator sends it again.
   */
  void lost();
}
