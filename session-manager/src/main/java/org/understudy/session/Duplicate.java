package org.understudy.session;

import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.runtime.Replica;
import org.understudy.session.http.StoredAnswer;
import org.understudy.session.record.SessionKeys;

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

  /** Whether the first one has used the session that this one names, and has left it its id. */
  boolean isOfNamedSession() {
    return stored.session().equals(session);
  }

  /**
   * Why the stored answer is not sent, whether or not its session goes on.
   *
   * @param begun whether this request's own answer has begun
   * @return null when it is sent
   */
  Failure refusal(boolean begun) {
    if (begun) {
      return discarded(", and this run of it had begun its answer.");
    }
    return isOfAnotherSession() ? discarded(", and its session has got another id, which is not sent again. Open the page again.") : null;
  }

  /**
   * Why the stored answer of the named session is not sent, by the state of the group: what the replica shows may be older than the end of
   * that session, so it is read first.
   *
   * @param client who pays for the read
   * @param seen the least that the replica must show
   * @return null when it is sent
   */
  Failure refusalByState(Replica replica, String client, VersionHandle seen) throws InterruptedException {
    boolean[] known = new boolean[1];
    String record = SessionKeys.record(session);
    Submission.Event event = new CurrentRead(replica, client).run(seen, () -> known[0] = replica.state(record) != null);
    if (event instanceof Submission.Event.Failed failed) {
      return new Failure(
          FailureCode.OutcomeUnknown,
          "The request was executed before, and whether its session goes on is unknown: " + failed.failure().sentence());
    }
    return known[0] ? null : discarded(", and its session has ended. Open the page again.");
  }

  private static Failure discarded(String reason) {
    return new Failure(FailureCode.ReplyDiscarded, "The request was executed before" + reason);
  }
}
