package org.understudy.container.transaction;

import org.understudy.replication.runtime.Replica;

/**
 * A moment before or after a message of the two phases, or an entry of the log that belongs to it. Tests stop a replica there; nothing
 * happens there otherwise. A message has four: {@code SENDING} at its sender, {@code RECEIVED} and {@code ANSWERING} at its receiver, and
 * {@code ANSWERED} at its sender, which has done nothing with the answer so far.
 */
enum Failpoint {
  REGISTER_SENDING,
  REGISTER_RECEIVED,
  REGISTER_ANSWERING,
  REGISTER_ANSWERED,
  PREPARE_SENDING,
  PREPARE_RECEIVED,
  /** The changes of a participant are captured; they are not in its log. */
  PREPARED_BEFORE,
  /** They are stable: the vote is on its way. */
  PREPARE_ANSWERING,
  PREPARE_ANSWERED,
  /** All have voted; the coordinator's log does not have the decision. */
  DECISION_BEFORE,
  /** The decision is in the log of the coordinator's primary, and it does not know whether it is stable. */
  DECISION_AFTER,
  COMMIT_SENDING,
  COMMIT_RECEIVED,
  ABORT_SENDING,
  ABORT_RECEIVED,
  /** A participant knows the decision; its log does not have the mark. */
  MARK_BEFORE,
  /** The mark is stable. */
  COMMIT_ANSWERING,
  ABORT_ANSWERING,
  COMMIT_ANSWERED,
  ABORT_ANSWERED,
  /** All have acknowledged; the coordinator's log has the record of the decision. */
  FORGET_BEFORE,
  /** The record is removed. */
  FORGET_AFTER,
  STATUS_SENDING,
  STATUS_RECEIVED,
  STATUS_ANSWERING,
  STATUS_ANSWERED;

  /** Called at each failpoint of every replica in the process, by the thread that reaches it, without a lock. May block. */
  @FunctionalInterface
  interface Listener {
    /** Does nothing. */
    Listener NONE = (point, group, replica, transaction) -> {};

    void reached(Failpoint point, String group, Replica replica, String transaction);
  }

  private static volatile Listener listener = Listener.NONE;

  /** Replaces the listener, for tests. */
  static void listen(Listener one) {
    listener = one;
  }

  static Failpoint sending(PeerMessage.Kind kind) {
    return valueOf(kind + "_SENDING");
  }

  static Failpoint received(PeerMessage.Kind kind) {
    return valueOf(kind + "_RECEIVED");
  }

  static Failpoint answering(PeerMessage.Kind kind) {
    return valueOf(kind + "_ANSWERING");
  }

  static Failpoint answered(PeerMessage.Kind kind) {
    return valueOf(kind + "_ANSWERED");
  }

  /** The failpoints of one replica. */
  record Replicated(String group, Replica replica) {
    void reached(Failpoint point, String transaction) {
      listener.reached(point, group, replica, transaction);
    }
  }
}
