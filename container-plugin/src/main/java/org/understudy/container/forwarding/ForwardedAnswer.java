package org.understudy.container.forwarding;

import org.understudy.replication.api.Certainty;
import org.understudy.replication.api.FailureCode;

/**
 * The parts of a replica's response on which forwarding decides.
 *
 * @param status the HTTP status
 * @param refused the reason why there is no result; null for a result, and for a response that is not from the container
 * @param ofContainer false when the response is from another component: the server while the web application is not deployed, or a proxy
 * @param newInstance whether the response shows that the replica has restarted, so that it could not verify the proof of the
 *     client's identity
 */
public record ForwardedAnswer(int status, FailureCode refused, boolean ofContainer, boolean newInstance) {
  private static final int NOT_FOUND = 404;
  private static final int UNAVAILABLE = 503;

  /** Whether the replica does not serve the request, or not yet, and executed nothing. */
  public static boolean isElsewhere(FailureCode refused) {
    return refused == FailureCode.NotPrimary || refused == FailureCode.NotReady;
  }

  /** Whether the replica did not execute this attempt and cannot: it does not serve it, or not yet, or is not deployed. */
  boolean isElsewhere() {
    return ofContainer ? isElsewhere(refused) : status == NOT_FOUND || status == UNAVAILABLE;
  }

  /** Whether the replica lost its role before the outcome was certain. */
  boolean isUnknown() {
    return refused == FailureCode.OutcomeUnknown;
  }

  /**
   * Whether this attempt was certainly not executed; earlier attempts may have been. A terminal failure that is stored under
   * the request's identity is the outcome of all attempts.
   */
  boolean isNotExecuted() {
    boolean stored = refused == FailureCode.ExecutionFailed || refused == FailureCode.TooLarge;
    return isElsewhere() || refused != null && refused.certainty() == Certainty.NOT_EXECUTED && !stored;
  }
}
