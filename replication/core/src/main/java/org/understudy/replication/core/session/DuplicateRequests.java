package org.understudy.replication.core.session;

import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.update.StateUpdate;

/**
 * Distinguishes duplicates from new requests: when the request is admitted, and again when its update is delivered, because
 * another replica may have executed the same request meanwhile.
 */
final class DuplicateRequests {
  private final ReplicaSetup setup;
  private final GroupState state;
  private final Sessions sessions;

  DuplicateRequests(ReplicaSetup setup, GroupState state, Sessions sessions) {
    this.setup = setup;
    this.state = state;
    this.sessions = sessions;
  }

  // ---- on admission

  /** Why a request with this key is too late, or null: its client has acknowledged the answer. */
  Failure staleness(RequestKey key, long ackBelow) {
    if (!(key instanceof RequestKey.OfSession of) || !setup.enforces(Rule.REFUSE_STALE_SEQUENCE)) {
      return null;
    }
    long below = Math.max(ackBelow, state.replies().ackBelow(of.session()));
    return of.sequence() >= below
        ? null
        : new Failure(
            FailureCode.StaleSequence,
            "Sequence " + of.sequence() + " is below " + below
            + ", the AckBelow that this session has sent. Use a higher sequence number.");
  }

  /** Why the bodies belong to two different requests, or null. */
  Failure otherBody(long before, long now) {
    return before == now || !setup.enforces(Rule.REFUSE_OTHER_BODY)
        ? null
        : new Failure(FailureCode.DigestMismatch, "This request id was used for another request body.");
  }

  /** The stored reply of this request, or null. */
  StoredReply stored(Request request) {
    return setup.enforces(Rule.REPLAY_STORED_REPLY) ? state.replies().find(request.key()) : null;
  }

  /** In a mutant: whether the request is older than the last two of its session, and gets no answer. */
  boolean isForgotten(Request request) {
    return request.key() instanceof RequestKey.OfSession of
        && !setup.enforces(Rule.OLD_REQUESTS_ARE_ANSWERED)
        && state.replies().isBehind(of, 2);
  }

  // ---- on delivery

  private static boolean isFirst(RequestKey key) {
    return key instanceof RequestKey.OfSession of && of.sequence() == 1;
  }

  /** The outcome of an earlier update of the same request, or null. */
  StoredReply stored(StateUpdate update) {
    return switch (update.kind()) {
      case UPDATE ->
          isFirst(update.key()) && !setup.enforces(Rule.FIRST_REQUEST_IS_CHECKED) ? null : state.replies().find(update.key());
      case OPEN_SESSION -> sessions.opened(update);
      default -> null;
    };
  }

  /** Why an update must not be applied although it is no duplicate, or null. */
  Failure refusal(StateUpdate update) {
    if (update.kind() == Request.Kind.OPEN_SESSION) {
      return sessions.refusal(update);
    }
    boolean inSession = update.kind() == Request.Kind.UPDATE && update.key() instanceof RequestKey.OfSession;
    if (!inSession) {
      return null;
    }
    return state.replies().knows(((RequestKey.OfSession) update.key()).session())
        ? staleness(update.key(), update.ackBelow())
        : Sessions.EXPIRED;
  }
}
