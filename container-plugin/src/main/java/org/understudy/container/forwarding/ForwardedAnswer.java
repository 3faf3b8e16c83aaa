package org.understudy.container.forwarding;

import org.understudy.replication.api.Certainty;
import org.understudy.replication.api.FailureCode;

/**
 * The parts of a replica's response on which forwarding decides.
 *
 * @param status the HTTP status
 * @param refused the reason why there is no result; null for a result, and for a response that is not from the container
 * @param source the component that has sent the response
 * @param newInstance whether the response shows that the replica has restarted, so that it could not verify the proof of the
 *     client's identity
 */
public record ForwardedAnswer(int status, FailureCode refused, Source source, boolean newInstance) {
  private static final int NOT_FOUND = 404;
  private static final int BAD_GATEWAY = 502;
  private static final int UNAVAILABLE = 503;
  private static final int GATEWAY_TIMEOUT = 504;

  /** A component that can send a response. */
  public enum Source {
    /** The container of a replica. */
    REPLICA,
    /** The server of a replica, which has given the request to no web application. */
    SERVER,
    /** Any other: a proxy between the replicas, for example. */
    OTHER
  }

  /** Whether the replica does not serve the request, or not yet, and executed nothing. */
  public static boolean isElsewhere(FailureCode refused) {
    return refused == FailureCode.NotPrimary || refused == FailureCode.NotReady;
  }

  /** Whether the replica did not execute this attempt and cannot: it does not serve it, or not yet, or is not deployed. */
  boolean isElsewhere() {
    return switch (source) {
      case REPLICA -> isElsewhere(refused);
      case SERVER -> status == NOT_FOUND || status == UNAVAILABLE;
      case OTHER -> status == NOT_FOUND;
    };
  }

  /**
   * Whether this attempt may have been executed without a result: the replica lost its role before the outcome was certain, or a proxy
   * lost the connection to a replica that may have had the request.
   */
  boolean isUnknown() {
    return source == Source.OTHER
        ? status == BAD_GATEWAY || status == UNAVAILABLE || status == GATEWAY_TIMEOUT
        : refused == FailureCode.OutcomeUnknown;
  }

  /** The reason why there is no result. */
  String reason() {
    return refused == null ? "HTTP status " + status : refused.name();
  }

  /** Whether this attempt was certainly not executed, which says nothing about earlier attempts. */
  boolean coversThisAttemptOnly() {
    return isElsewhere() || refused != null && refused.certainty() == Certainty.NOT_EXECUTED && !refused.coversAllAttempts();
  }

  /** Whether each retry would be rejected too. */
  boolean isTerminal() {
    return refused != null && refused.isTerminal();
  }
}
