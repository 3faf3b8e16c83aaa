package org.understudy.replication.core.transaction;

/** The effects that a step of a coordinator requests. Messages may be lost, late or repeated. Called only during the step. */
public interface CoordinatorEffects {
  /**
   * Answers {@link CoordinatorInput.Registered}.
   *
   * @param refusal a sentence: the participant must not execute; null when it is registered
   */
  void registered(long token, String refusal);

  /** Asks a participant to prepare and to vote. */
  void prepare(String transaction, RemoteParticipant participant);

  /**
   * Appends one update to the log: the changes of this group, and the record unless it has no participants. This entry decides. Answered by
   * {@link CoordinatorInput.Proposed}.
   */
  void propose(DecisionRecord decision);

  /** Sends the decision to a participant, which acknowledges it. */
  void commit(String transaction, RemoteParticipant participant);

  /** Sends an abort to a participant. Not repeated: a participant in doubt asks. */
  void abort(String transaction, RemoteParticipant participant);

  /**
   * The transaction has aborted: its part here is to be undone.
   *
   * @param why a clause, for the client
   */
  void aborted(String transaction, String why);

  /** All participants have acknowledged: the record is to be removed from the replicated state. */
  void forget(String transaction);
}
