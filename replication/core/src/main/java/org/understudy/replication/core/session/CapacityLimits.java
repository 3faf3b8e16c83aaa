package org.understudy.replication.core.session;

import java.util.List;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.limit.ByteLimits;
import org.understudy.replication.core.limit.Limits;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Outcome;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.update.Eviction;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.core.update.StateUpdate;

/**
 * The limits of what the group stores. The replica that orders an update checks them once; the others apply what they
 * receive, whatever their own limits are. Internal updates, and updates that make nothing larger, are admitted from a
 * reserve, so that a full group can be emptied. What a service changes outside its operations is limited like a client's update,
 * except that no caller's share applies.
 */
final class CapacityLimits {
  /** The size up to which a reply is admitted from the reserve, when its update does not make the state larger. */
  private static final int SMALL_REPLY_BYTES = 4_096;

  private final ReplicaSetup setup;
  private final Limits limits;
  private final ByteLimits bytes;
  private final GroupState state;
  private final Agreement agreement;
  private final IdentityAges ages;

  CapacityLimits(ReplicaSetup setup, GroupState state, Agreement agreement) {
    this.setup = setup;
    this.limits = setup.limits();
    this.bytes = limits.bytes();
    this.state = state;
    this.agreement = agreement;
    this.ages = new IdentityAges(limits.identityNanos());
  }

  /** Called when this replica begins to decide. */
  void begin(long now) {
    ages.begin(now, agreement.end());
  }

  /** Why an update may not be executed now, or null. */
  Failure refusal(Request request) {
    Failure backlog = agreement.backlog();
    if (backlog != null || request.isInternal()) {
      return backlog;
    }
    ReplyTable replies = state.replies();
    if (request.key() instanceof RequestKey.OfSession of) {
      long freed = replies.acknowledgedBytes(of.session(), request.ackBelow());
      if (isOldest(request, of)) {
        // The client must get this answer before its AckBelow can rise and free places; only the reply's size is checked.
        return null;
      }
      if (replies.kept(of.session(), request.ackBelow()) >= limits.openPerSession()
          || replies.keptBytes(of.session()) - freed >= bytes.sessionReplies()) {
        return overloaded("Session " + of.session() + " has too many replies kept; raise AckBelow.");
      }
      if (!replies.replyShares().admits(
          replies.owner(of.session()), -freed, bytes.replies() + reserve(), limits.callerPercent())) {
        return overloaded("The sessions of this caller have too many replies kept; raise AckBelow, or close some.");
      }
    } else if (request.key() instanceof RequestKey.OfMessageId
        && !replies.identityShares().admits(request.ownerId(), 1, limits.identities(), limits.callerPercent())) {
      return overloaded("This caller has sent too many requests with a wsa:MessageID recently. Retry later.");
    }
    return null;
  }

  /** Why a session may not be opened now, or null. */
  Failure refusalOfSession(Request request) {
    return state.replies().sessionShares().admits(request.ownerId(), 1, limits.sessions(), limits.callerPercent())
        ? null
        : overloaded("Too many sessions are open; close some, or try again later.");
  }

  /**
   * Why an execution must be rolled back, or null. A terminal failure is stored as the request's reply.
   *
   * @param keys the bytes that the order adds for the keys that the run read
   */
  Failure excess(Request request, Outcome outcome, List<StateChange> changes, long keys) {
    if (!setup.enforces(Rule.BYTES_WITHIN_LIMITS)) {
      return null;
    }
    if (outcome.bytes() > bytes.reply()) {
      return tooLarge("The reply has " + outcome.bytes() + " bytes", bytes.reply(), "understudy.reply.bytes");
    }
    long update = StateUpdate.bytes(outcome, changes) + keys;
    if (update > bytes.update()) {
      return tooLarge(
          "The state update has " + update + " bytes" + (keys == 0 ? "" : ", " + keys + " of them for the keys that it read"),
          bytes.update(), "a frame between replicas");
    }
    for (StateChange change : changes) {
      // A resource that was admitted under a higher limit may be changed and made smaller step by step.
      if (change.state() != null && change.state().length > bytes.resource() && state.grows(change)) {
        return tooLarge(
            "The state of one resource has " + change.state().length + " bytes", bytes.resource(),
            "understudy.resource.bytes");
      }
    }
    StateGrowth growth = state.growth(changes, request.ownerId());
    if (!request.isInternal() || growth.isOfParts()) {
      String excess =
          request.isOfService()
              ? growth.excessOfGroup(state.shares(), limits)
              : growth.excess(state.shares(), limits, request.ownerId());
      if (excess != null) {
        return overloaded(excess + " Nothing was changed; destroy some, or try again later.");
      }
    }
    if (request.isInternal()) {
      return null;
    }
    boolean grows = growth.total() > 0 || outcome.bytes() > SMALL_REPLY_BYTES;
    return request.key() instanceof RequestKey.OfSession of ? excess(request, of, outcome, grows) : null;
  }

  /** Whether an update with this failure and without changes may also name keys of this size. */
  boolean fits(Failure failure, long keys) {
    return StateUpdate.bytes(failure, List.of()) + keys <= bytes.update();
  }

  private Failure excess(Request request, RequestKey.OfSession key, Outcome outcome, boolean grows) {
    ReplyTable replies = state.replies();
    long more = StoredReply.bytes(outcome) - replies.acknowledgedBytes(key.session(), request.ackBelow());
    if (isOldest(request, key)) {
      // All sessions together are bounded, but shares of newer replies must not keep the oldest request from its answer.
      long max = outcome.bytes() > SMALL_REPLY_BYTES ? bytes.replies() + reserve() : 2 * bytes.replies();
      if (replies.replyShares().total() + more <= max) {
        return null;
      }
    } else if (grows && replies.keptBytes(key.session()) + more > bytes.sessionReplies()) {
      return overloaded("Session " + key.session() + " has too many replies kept. Nothing was changed; raise AckBelow.");
    }
    long limit = bytes.replies() + (grows ? 0 : reserve());
    if (!replies.replyShares().admits(replies.owner(key.session()), more, limit, limits.callerPercent())) {
      return overloaded(
          "The sessions of this caller have too many replies kept. Nothing was changed; raise AckBelow, or close some.");
    }
    return null;
  }

  private boolean isOldest(Request request, RequestKey.OfSession key) {
    return key.sequence() <= Math.max(request.ackBelow(), state.replies().ackBelow(key.session()));
  }

  /** What this update evicts: enough to make room for itself, and identities that have expired. */
  Eviction eviction(long now, Request request, Outcome outcome) {
    long ended = ages.ended(now, agreement.stable());
    long identities = ended >= state.replies().oldestIdentity() ? ended : 0;
    long excess = state.replies().replyBytes() - bytes.replies();
    if (request.key() != null && request.kind() == Request.Kind.UPDATE) {
      excess += StoredReply.bytes(outcome);
    }
    long replies = excess > 0 ? state.replies().repliesToFree(excess) : 0;
    return (identities == 0 && replies == 0) || !setup.enforces(Rule.EVICTIONS_IN_UPDATES)
        ? Eviction.NONE
        : new Eviction(identities, replies);
  }

  /** Whether identities have expired, so that an update is due that evicts them. */
  boolean isEvictionDue(long now) {
    return ages.ended(now, agreement.stable()) >= state.replies().oldestIdentity();
  }

  private long reserve() {
    return bytes.replies() / 16;
  }

  private static Failure overloaded(String sentence) {
    return new Failure(FailureCode.Overloaded, sentence);
  }

  private static Failure tooLarge(String what, long limit, String where) {
    return new Failure(
        FailureCode.TooLarge, what + ", above the limit of " + limit + " (" + where + "). The request was undone.");
  }
}
