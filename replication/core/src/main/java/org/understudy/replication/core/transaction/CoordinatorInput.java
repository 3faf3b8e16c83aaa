package org.understudy.replication.core.transaction;

import java.util.List;

/** The events that a coordinator handles. */
public sealed interface CoordinatorInput {
  /** This replica is the primary now, and the view has begun. The records are those of the replicated state. */
  record Began(List<DecisionRecord> records) implements CoordinatorInput {
    public Began {
      records = List.copyOf(records);
    }
  }

  /** This replica is no longer the primary: its open transactions are lost. */
  record Ended() implements CoordinatorInput {}

  /** A client has begun a transaction here. */
  record Opened(String transaction) implements CoordinatorInput {}

  /**
   * Another group takes part in an open transaction. Answered by {@link CoordinatorEffects#registered}.
   *
   * @param token of the caller
   */
  record Registered(long token, String transaction, RemoteParticipant participant) implements CoordinatorInput {}

  /**
   * The client wants the transaction committed. Leads to exactly one of {@link CoordinatorEffects#propose} and {@link
   * CoordinatorEffects#aborted}, unless {@link Ended} comes first.
   */
  record CommitRequested(String transaction) implements CoordinatorInput {}

  /** The transaction aborts, because its client wants that, its lifetime has ended, or its part here cannot commit. */
  record AbortRequested(String transaction, String why) implements CoordinatorInput {}

  /** A participant has voted. */
  record Voted(String transaction, String group, String part, ParticipantVote vote) implements CoordinatorInput {}

  /**
   * The outcome of a proposed decision.
   *
   * @param stable true when every replica of the view has the update with the changes of this group and the record. False when that
   *     update was refused or rolled back, so that it never takes effect
   */
  record Proposed(String transaction, boolean stable) implements CoordinatorInput {}

  /** A participant has made a commit stable, or does not know the transaction any more. */
  record Acknowledged(String transaction, String group, String part) implements CoordinatorInput {}

  /** Time has passed. Expected several times per {@link CoordinatorLimits#repeatNanos}. */
  record Tick() implements CoordinatorInput {}
}
