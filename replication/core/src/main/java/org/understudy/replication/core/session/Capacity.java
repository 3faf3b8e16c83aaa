package org.understudy.replication.core.session;

import java.util.List;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.limit.ReplicatedLimits;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Outcome;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.update.Eviction;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.core.update.StateUpdate;

/**
 * Whether the group has room for what an update stores: sessions, replies, identities, resources. A function of the state, in
 * which the limits in force are included where the order has brought them, so that all replicas decide alike at an update's
 * place.
 */
public final class Capacity {
  /** The size up to which a reply is admitted from the reserve, when its update does not make the state larger. */
  private static final int SMALL_REPLY_BYTES = 4_096;

  private static final long INTERNAL = Request.internalUpdate().ownerId();
  private static final long SERVICE = Request.serviceUpdate().ownerId();

  /** Who makes an update. */
  enum Writer {
    CLIENT,
    SERVICE,
    INTERNAL;

    static Writer of(Request request) {
      return request.isInternal() ? INTERNAL : request.isOfService() ? SERVICE : CLIENT;
    }

    /** An owner is a hash here, and two can have one; the replica that proposed the update has compared their names. */
    private static Writer of(StateUpdate update) {
      return update.owner() == Capacity.INTERNAL ? INTERNAL : update.owner() == Capacity.SERVICE ? SERVICE : CLIENT;
    }
  }

  private final ReplicaSetup setup;
  private final ReplicatedLimits own;
  private final GroupState state;

  Capacity(ReplicaSetup setup, GroupState state) {
    this.setup = setup;
    this.own = ReplicatedLimits.of(setup.limits());
    this.state = state;
  }

  /** The limits in force: those in the order, or this replica's own where the order has none. */
  ReplicatedLimits limits() {
    ReplicatedLimits ofOrder = state.certification().limits();
    return ofOrder == null ? own : ofOrder;
  }

  // ---- before an execution

  /** Why an update with this key may not be stored, or null. */
  Failure refusal(RequestKey key, long ackBelow, long owner) {
    ReplyTable replies = state.replies();
    ReplicatedLimits limits = limits();
    if (key instanceof RequestKey.OfSession of) {
      long freed = replies.acknowledgedBytes(of.session(), ackBelow);
      if (isOldest(of, ackBelow)) {
        // The client must get this answer before its AckBelow can rise and free places; only the reply's size is checked.
        return null;
      }
      if (replies.kept(of.session(), ackBelow) >= limits.openPerSession()
          || replies.keptBytes(of.session()) - freed >= limits.sessionReplies()) {
        return overloaded("Session " + of.session() + " has too many replies kept; raise AckBelow.");
      }
      if (!replies.replyShares().admits(
          replies.owner(of.session()), -freed, limits.replies() + reserve(limits), limits.callerPercent())) {
        return overloaded("The sessions of this caller have too many replies kept; raise AckBelow, or close some.");
      }
    } else if (key instanceof RequestKey.OfMessageId
        && !replies.identityShares().admits(owner, 1, limits.identities(), limits.callerPercent())) {
      return overloaded("This caller has sent too many requests with a wsa:MessageID recently. Retry later.");
    }
    return null;
  }

  /** Why a session may not be opened, or null. */
  Failure refusalOfSession(long owner) {
    ReplicatedLimits limits = limits();
    return state.replies().sessionShares().admits(owner, 1, limits.sessions(), limits.callerPercent())
        ? null
        : overloaded("Too many sessions are open; close some, or try again later.");
  }

  // ---- after it

  /** Why the group has no room for these changes and for the reply, or null. */
  Failure excess(
      RequestKey key, long ackBelow, long owner, Writer writer, Outcome outcome, List<StateChange> changes) {
    StateGrowth growth = state.growth(changes, owner, limits());
    if (writer != Writer.INTERNAL || growth.isOfParts()) {
      String excess =
          writer == Writer.SERVICE
              ? growth.excessOfGroup(state.shares())
              : growth.excess(state.shares(), owner);
      if (excess != null) {
        return overloaded(excess + " Nothing was changed; destroy some, or try again later.");
      }
    }
    boolean inSession = writer != Writer.INTERNAL && key instanceof RequestKey.OfSession;
    boolean grows = growth.total() > 0 || outcome.bytes() > SMALL_REPLY_BYTES;
    return inSession ? excessOfReply((RequestKey.OfSession) key, ackBelow, outcome, grows) : null;
  }

  private Failure excessOfReply(RequestKey.OfSession key, long ackBelow, Outcome outcome, boolean grows) {
    ReplyTable replies = state.replies();
    ReplicatedLimits limits = limits();
    long more = StoredReply.bytes(outcome) - replies.acknowledgedBytes(key.session(), ackBelow);
    if (isOldest(key, ackBelow)) {
      // All sessions together are bounded, but shares of newer replies must not keep the oldest request from its answer.
      long max = outcome.bytes() > SMALL_REPLY_BYTES ? limits.replies() + reserve(limits) : 2 * limits.replies();
      if (replies.replyShares().total() + more <= max) {
        return null;
      }
    } else if (grows && replies.keptBytes(key.session()) + more > limits.sessionReplies()) {
      return overloaded("Session " + key.session() + " has too many replies kept. Nothing was changed; raise AckBelow.");
    }
    long limit = limits.replies() + (grows ? 0 : reserve(limits));
    if (!replies.replyShares().admits(replies.owner(key.session()), more, limit, limits.callerPercent())) {
      return overloaded(
          "The sessions of this caller have too many replies kept. Nothing was changed; raise AckBelow, or close some.");
    }
    return null;
  }

  private boolean isOldest(RequestKey.OfSession key, long ackBelow) {
    return key.sequence() <= Math.max(ackBelow, state.replies().ackBelow(key.session()));
  }

  /** The index up to which replies must be evicted to make room for this one; 0: none. */
  long repliesToEvict(Request.Kind kind, RequestKey key, Outcome outcome) {
    long excess = state.replies().replyBytes() - limits().replies();
    if (key != null && kind == Request.Kind.UPDATE) {
      excess += StoredReply.bytes(outcome);
    }
    return excess > 0 ? state.replies().repliesToFree(excess) : 0;
  }

  private static long reserve(ReplicatedLimits limits) {
    return limits.replies() / 16;
  }

  // ---- at an update's place in the order

  /**
   * Why this update must have no effect, or null. Several replicas may have proposed updates for which the group has room one
   * by one, and not together.
   */
  public Failure refusal(StateUpdate update) {
    if (state.certification().limits() == null) {
      return null;
    }
    return switch (update.kind()) {
      case OPEN_SESSION -> refusalOfSession(update.owner());
      case UPDATE -> refusalOfUpdate(update);
      default -> null;
    };
  }

  private Failure refusalOfUpdate(StateUpdate update) {
    Writer writer = Writer.of(update);
    Failure refusal =
        writer == Writer.INTERNAL ? null : refusal(update.key(), update.ackBelow(), update.owner());
    boolean stores = update.outcome() instanceof Response && setup.enforces(Rule.BYTES_WITHIN_LIMITS);
    return refusal != null || !stores
        ? refusal
        : excess(update.key(), update.ackBelow(), update.owner(), writer, update.outcome(), update.changes());
  }

  /** The same update with the evictions that make room for its reply now. */
  public StateUpdate evicting(StateUpdate update) {
    if (state.certification().limits() == null || !setup.enforces(Rule.EVICTIONS_IN_UPDATES)) {
      return update;
    }
    long replies = repliesToEvict(update.kind(), update.key(), update.outcome());
    return replies <= update.eviction().repliesUpTo()
        ? update
        : update.evicting(new Eviction(update.eviction().identitiesUpTo(), replies));
  }

  static Failure overloaded(String sentence) {
    return new Failure(FailureCode.Overloaded, sentence);
  }
}
