package org.understudy.replication.core.update;

import java.util.List;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.api.decision.DecisionId;
import org.understudy.replication.api.decision.ParticipantRecord;
import org.understudy.replication.core.request.Outcome;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.request.Response;

/**
 * The message of a primary after an execution (Zhang et al. 2004, section 2.3): request id, response and new state
 * together. Its index does not change with views.
 *
 * @param index from 1, without gaps; 0 for a proposal that has no place in the order yet
 * @param kind never {@link Request.Kind#READ}
 * @param key of the request, or null when duplicates cannot be detected
 * @param digest of the request
 * @param ackBelow of the request
 * @param principal for {@link Request.Kind#OPEN_SESSION}: the session is bound to it
 * @param owner {@link Request#ownerId} of the request, which pays for sessions and identities
 * @param outcome a response, or a terminal failure without changes; for {@link Request.Kind#OPEN_SESSION} a response with
 *     the bytes of the session's id
 * @param changes the changed resources
 * @param eviction applied before this update
 * @param origin for an update that is certified at its place in the order; otherwise null
 * @param decision for an update that a database or a coordinator decides, or that marks its decision; otherwise null
 */
public record StateUpdate(
    long index,
    Request.Kind kind,
    RequestKey key,
    long digest,
    long ackBelow,
    String principal,
    long owner,
    Outcome outcome,
    List<StateChange> changes,
    Eviction eviction,
    Origin origin,
    DecisionPart decision) {
  private static final int OVERHEAD_BYTES = 200;

  /** An update that no database decides. */
  public StateUpdate(
      long index,
      Request.Kind kind,
      RequestKey key,
      long digest,
      long ackBelow,
      String principal,
      long owner,
      Outcome outcome,
      List<StateChange> changes,
      Eviction eviction,
      Origin origin) {
    this(index, kind, key, digest, ackBelow, principal, owner, outcome, changes, eviction, origin, null);
  }

  /** An update that takes effect without certification. */
  public StateUpdate(
      long index,
      Request.Kind kind,
      RequestKey key,
      long digest,
      long ackBelow,
      String principal,
      long owner,
      Outcome outcome,
      List<StateChange> changes,
      Eviction eviction) {
    this(index, kind, key, digest, ackBelow, principal, owner, outcome, changes, eviction, null, null);
  }

  /** An update without evictions and owner. */
  public StateUpdate(
      long index,
      Request.Kind kind,
      RequestKey key,
      long digest,
      long ackBelow,
      String principal,
      Outcome outcome,
      List<StateChange> changes) {
    this(index, kind, key, digest, ackBelow, principal, 0, outcome, changes, Eviction.NONE);
  }

  /** Completes the ids of entries, see {@link StateChange#NUMBERED}, when the update has the index at which it takes effect. */
  public StateUpdate {
    changes = index == 0 || decision != null ? changes : StateChange.numbered(changes, index);
  }

  /** The mark that decides a prepared update. */
  public static StateUpdate mark(long index, Decision decided, DecisionId id, Eviction eviction) {
    DecisionPart.Kind kind = decided == Decision.COMMITTED ? DecisionPart.Kind.COMMITTED : DecisionPart.Kind.ABORTED;
    return new StateUpdate(
        index, Request.Kind.UPDATE, null, 0, 0, "", 0, Response.EMPTY, List.of(), eviction, null, new DecisionPart(kind, id));
  }

  /** A proposal that changes nothing. */
  public static StateUpdate ofNothing() {
    return new StateUpdate(0, Request.Kind.UPDATE, null, 0, 0, "", Response.EMPTY, List.of());
  }

  /** The approximate size in memory and in a frame. */
  public long bytes() {
    return bytes(outcome, changes)
        + 2L * principal.length()
        + (origin == null ? 0 : origin.encodedBytes())
        + (decision == null ? 0 : decision.encodedBytes());
  }

  /** The same update at its place in the order, which decides its outcome. */
  public StateUpdate at(long place, Outcome decided) {
    return new StateUpdate(
        place, kind, key, digest, ackBelow, principal, owner, decided, changes, eviction, origin, decision);
  }

  /** The same update, to be certified. */
  public StateUpdate from(Origin proposer) {
    return new StateUpdate(
        index, kind, key, digest, ackBelow, principal, owner, outcome, changes, eviction, proposer, decision);
  }

  /** The same update with other evictions. */
  public StateUpdate evicting(Eviction other) {
    return new StateUpdate(
        index, kind, key, digest, ackBelow, principal, owner, outcome, changes, other, origin, decision);
  }

  /** The same update, which has no effect before a database decides it. It has no place yet. */
  public StateUpdate prepared(DecisionId id) {
    return prepared(id, null);
  }

  /**
   * The same update, which has no effect before it is decided. It has no place yet.
   *
   * @param participant if a coordinator decides it; null if a database does
   */
  public StateUpdate prepared(DecisionId id, ParticipantRecord participant) {
    return new StateUpdate(
        id.index(), kind, key, digest, ackBelow, principal, owner, outcome, changes, Eviction.NONE, origin,
        new DecisionPart(DecisionPart.Kind.PREPARED, id, participant));
  }

  /** The same update, which a database has committed and no prepared update precedes. */
  public StateUpdate decidedAs(DecisionId id) {
    return new StateUpdate(
        index, kind, key, digest, ackBelow, principal, owner, outcome, changes, eviction, origin,
        new DecisionPart(DecisionPart.Kind.COMMITTED, id));
  }

  /** The prepared update as it takes effect, at the place of its mark. */
  public StateUpdate committed(long place, Eviction other) {
    return new StateUpdate(
        place, kind, key, digest, ackBelow, principal, owner, outcome, changes, other, origin, null);
  }

  /** The approximate size of an update with this outcome and these changes. */
  public static long bytes(Outcome outcome, List<StateChange> changes) {
    long bytes = OVERHEAD_BYTES + outcome.bytes();
    for (StateChange change : changes) {
      bytes += change.bytes();
    }
    return bytes;
  }
}
