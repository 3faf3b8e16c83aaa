package org.understudy.replication.core.session;

import java.util.List;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.limit.ByteLimits;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Outcome;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.update.Eviction;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.core.update.StateUpdate;

/**
 * What the replica that proposes an update checks before and after the execution. Where one replica orders what it has
 * executed, this decides once for the group, and the others apply what they receive, whatever their own limits are. Internal
 * updates, and updates that make nothing larger, are admitted from a reserve, so that a full group can be emptied. What a
 * service changes outside its operations is limited like a client's update, except that no caller's share applies.
 */
final class CapacityLimits {
  private final ReplicaSetup setup;
  private final ByteLimits bytes;
  private final GroupState state;
  private final Agreement agreement;
  private final Capacity capacity;
  private final IdentityAges ages;

  CapacityLimits(ReplicaSetup setup, GroupState state, Agreement agreement) {
    this.setup = setup;
    this.bytes = setup.limits().bytes();
    this.state = state;
    this.agreement = agreement;
    this.capacity = new Capacity(setup, state);
    this.ages = new IdentityAges(setup.limits().identityNanos());
  }

  /** What all replicas decide alike. */
  Capacity ofGroup() {
    return capacity;
  }

  /** Called when this replica begins to decide. */
  void begin(long now) {
    ages.begin(now, agreement.end());
  }

  /** Why an update may not be executed now, or null. */
  Failure refusal(Request request) {
    Failure backlog = agreement.backlog();
    return backlog != null || request.isInternal()
        ? backlog
        : capacity.refusal(request.key(), request.ackBelow(), request.ownerId());
  }

  /** Why a session may not be opened now, or null. */
  Failure refusalOfSession(Request request) {
    return capacity.refusalOfSession(request.ownerId());
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
    return capacity.excess(
        request.key(), request.ackBelow(), request.ownerId(), Capacity.Writer.of(request), outcome, changes);
  }

  /** Whether an update with this failure and without changes may also name keys of this size. */
  boolean fits(Failure failure, long keys) {
    return StateUpdate.bytes(failure, List.of()) + keys <= bytes.update();
  }

  /** What this update evicts: enough to make room for itself, and identities that have expired. */
  Eviction eviction(long now, Request.Kind kind, RequestKey key, Outcome outcome) {
    long ended = ages.ended(now, agreement.stable());
    long identities = ended >= state.replies().oldestIdentity() ? ended : 0;
    long replies = capacity.repliesToEvict(kind, key, outcome);
    return (identities == 0 && replies == 0) || !setup.enforces(Rule.EVICTIONS_IN_UPDATES)
        ? Eviction.NONE
        : new Eviction(identities, replies);
  }

  /** Whether identities have expired, so that an update is due that evicts them. */
  boolean isEvictionDue(long now) {
    return ages.ended(now, agreement.stable()) >= state.replies().oldestIdentity();
  }

  private static Failure tooLarge(String what, long limit, String where) {
    return new Failure(
        FailureCode.TooLarge, what + ", above the limit of " + limit + " (" + where + "). The request was undone.");
  }
}
