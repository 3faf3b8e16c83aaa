package org.understudy.session;

import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.request.Failure;
import org.understudy.session.http.StoredAnswer;

/**
 * A request that the group has executed before.
 *
 * @param stored what the first one was answered
 * @param session that this one names; null for none
 */
record Duplicate(StoredAnswer stored, String session) {
  /** Whether the first one has given the session another id, or created it. */
  boolean isOfAnotherSession() {
    return !stored.session().isEmpty() && !stored.session().equals(session);
  }

  /**
   * Why the stored answer is not sent.
   *
   * @param begun whether this request's own answer has begun
   * @param known whether the group has the session that the request names
   * @return null when it is sent
   */
  Failure refusal(boolean begun, boolean known) {
    if (begun) {
      return discarded(", and this run of it had begun its answer.");
    }
    if (isOfAnotherSession()) {
      return discarded(", and its session has got another id, which is not sent again. Open the page again.");
    }
    return known || !stored.session().equals(session) ? null : discarded(", and its session has ended. Open the page again.");
  }

  private static Failure discarded(String reason) {
    return new Failure(FailureCode.ReplyDiscarded, "The request was executed before" + reason);
  }
}
