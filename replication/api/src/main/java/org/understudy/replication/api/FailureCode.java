package org.understudy.replication.api;

/** Why a request got no result. The names stand in {@code ReplicationFault/Code} on the wire. */
public enum FailureCode {
  /** This replica does not execute updates; the fault lists the one that does. */
  NotPrimary(Certainty.NOT_EXECUTED),
  /** Too few replicas reach each other; nothing is lost and updates go on when they do. */
  NoQuorum(Certainty.NOT_EXECUTED),
  /** A limit on open requests, sessions or bytes is reached. */
  Overloaded(Certainty.NOT_EXECUTED),
  /** This replica has not yet all of the state. */
  NotReady(Certainty.NOT_EXECUTED),
  /** The session is unknown or its lease has run out. */
  SessionExpired(Certainty.NOT_EXECUTED),
  /** The client said earlier that it would not ask for this sequence number again. */
  StaleSequence(Certainty.NOT_EXECUTED),
  /** The sequence number was used for another request body. */
  DigestMismatch(Certainty.NOT_EXECUTED),
  /** A replication header, a version handle or another part of the request makes no sense. */
  BadRequest(Certainty.NOT_EXECUTED),
  /**
   * The execution failed in a way that no retry mends, and its effects are undone. Stored like a result: a repeated
   * request gets the same answer.
   */
  ExecutionFailed(Certainty.NOT_EXECUTED),
  /**
   * What the execution made is over the limit of one resource, one reply or one state update; its effects are undone.
   * Stored like a result.
   */
  TooLarge(Certainty.NOT_EXECUTED),
  /** The request was executed, and its reply is no longer kept. It is never executed again. */
  ReplyDiscarded(Certainty.EXECUTED),
  /** The request was executed, or may have been, and has not become stable yet. */
  StillPending(Certainty.PENDING),
  /** This replica lost its role while the request was on its way. */
  OutcomeUnknown(Certainty.UNKNOWN);

  private final Certainty certainty;

  FailureCode(Certainty certainty) {
    this.certainty = certainty;
  }

  public Certainty certainty() {
    return certainty;
  }

  /** Whether no retry of the same request can succeed, at any replica. */
  public boolean isTerminal() {
    return switch (this) {
      case SessionExpired, StaleSequence, DigestMismatch, BadRequest, ExecutionFailed, TooLarge, ReplyDiscarded -> true;
      default -> false;
    };
  }
}
