package org.understudy.replication.api;

/** Why a request got no result. The names stand in {@code ReplicationFault/Code} on the wire. */
public enum FailureCode {
  /** This replica does not execute updates; the fault lists the one that does. */
  NotPrimary(Certainty.NOT_EXECUTED, Finality.TEMPORARY),
  /** Fewer than a majority of the replicas reach each other. Nothing is lost; updates continue when a majority does. */
  NoQuorum(Certainty.NOT_EXECUTED, Finality.TEMPORARY),
  /** This replica has more to do than the one that the fault names as the target of the request. */
  Redirected(Certainty.NOT_EXECUTED, Finality.TEMPORARY),
  /** A limit on open requests, sessions or bytes is reached. */
  Overloaded(Certainty.NOT_EXECUTED, Finality.TEMPORARY),
  /** This replica is catching up and does not have the whole state yet. */
  NotReady(Certainty.NOT_EXECUTED, Finality.TEMPORARY),
  /** The session is unknown or its lease has run out. */
  SessionExpired(Certainty.NOT_EXECUTED, Finality.LATER_ATTEMPTS),
  /** The sequence number is below the AckBelow that the client has sent. */
  StaleSequence(Certainty.NOT_EXECUTED, Finality.LATER_ATTEMPTS),
  /** The sequence number was used for another request body. */
  DigestMismatch(Certainty.NOT_EXECUTED, Finality.LATER_ATTEMPTS),
  /** A replication header, a version handle or another part of the request is invalid. */
  BadRequest(Certainty.NOT_EXECUTED, Finality.LATER_ATTEMPTS),
  /**
   * The execution failed in a way that no retry can fix, and its effects are undone. Stored like a result: a repeated
   * request gets the same answer.
   */
  ExecutionFailed(Certainty.NOT_EXECUTED, Finality.ALL_ATTEMPTS),
  /**
   * The result exceeds the limit of one resource, one reply or one state update; the effects of the execution are undone.
   * Stored like a result.
   */
  TooLarge(Certainty.NOT_EXECUTED, Finality.ALL_ATTEMPTS),
  /**
   * The transaction of the request was aborted, or is unknown and was certainly not committed; all that its calls changed is undone. Begin
   * another one. Never stored: an ended transaction stays unknown.
   */
  TransactionAborted(Certainty.NOT_EXECUTED, Finality.ALL_ATTEMPTS),
  /**
   * The group has lost its memory since the transaction of the request was begun, has forgotten how it ended, or gets no answer of its
   * coordinator: it may have been committed. The request was not executed.
   * Look at what the transaction has changed before beginning another one. Never stored.
   */
  TransactionOutcomeUnknown(Certainty.UNKNOWN, Finality.ALL_ATTEMPTS),
  /** The request was executed, but its reply has been discarded. It is never executed again. */
  ReplyDiscarded(Certainty.EXECUTED, Finality.ALL_ATTEMPTS),
  /** The request was executed, or may have been, and has not become stable yet. */
  StillPending(Certainty.PENDING, Finality.TEMPORARY),
  /** This replica lost its role during the request: the request may or may not have been executed. */
  OutcomeUnknown(Certainty.UNKNOWN, Finality.TEMPORARY);

  /** For which attempts of a request a code holds. */
  private enum Finality {
    /** A later attempt may succeed. */
    TEMPORARY,
    /** This attempt and all later ones fail. An earlier one may have been executed. */
    LATER_ATTEMPTS,
    /** All, also earlier ones: it is stored under the identity of the request, or the transaction of the request has ended. */
    ALL_ATTEMPTS
  }

  private final Certainty certainty;
  private final Finality finality;

  FailureCode(Certainty certainty, Finality finality) {
    this.certainty = certainty;
    this.finality = finality;
  }

  /** Whether the attempt that got this code was executed. */
  public Certainty certainty() {
    return certainty;
  }

  /** Whether no retry of the same request can succeed, at any replica. */
  public boolean isTerminal() {
    return finality != Finality.TEMPORARY;
  }

  /** Whether {@link #certainty} holds for all attempts of the request, also for those before the one that got this code. */
  public boolean coversAllAttempts() {
    return finality == Finality.ALL_ATTEMPTS;
  }
}
