package org.understudy.replication.core.update;

import java.util.List;
import org.understudy.replication.core.request.Outcome;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;

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
    Origin origin) {
  private static final int OVERHEAD_BYTES = 200;

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
    this(index, kind, key, digest, ackBelow, principal, owner, outcome, changes, eviction, null);
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

  /** Completes the ids of entries, see {@link StateChange#NUMBERED}, when the update has its index. */
  public StateUpdate {
    changes = index == 0 ? changes : StateChange.numbered(changes, index);
  }

  /** The approximate size in memory and in a frame. */
  public long bytes() {
    return bytes(outcome, changes) + 2L * principal.length() + (origin == null ? 0 : origin.encodedBytes());
  }

  /** The same update at its place in the order, which decides its outcome. */
  public StateUpdate at(long place, Outcome decided) {
    return new StateUpdate(
        place, kind, key, digest, ackBelow, principal, owner, decided, changes, eviction, origin);
  }

  /** The same update, to be certified. */
  public StateUpdate from(Origin proposer) {
    return new StateUpdate(
        index, kind, key, digest, ackBelow, principal, owner, outcome, changes, eviction, proposer);
  }

  /** The same update with other evictions. */
  public StateUpdate evicting(Eviction other) {
    return new StateUpdate(
        index, kind, key, digest, ackBelow, principal, owner, outcome, changes, other, origin);
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
