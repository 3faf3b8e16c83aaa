package org.understudy.replication.core;

import java.util.List;

/**
 * What the primary sends after executing (Zhang et al. 2004, section 2.3): request id, response, new state, as one. Its
 * index stays the same over view changes.
 *
 * @param index from 1, without gaps; 0 of a proposal that has no place in the order yet
 * @param kind never {@link Request.Kind#READ}
 * @param key of the request, or null when a repetition cannot be recognised
 * @param digest of the request
 * @param ackBelow of the request
 * @param principal for {@link Request.Kind#OPEN_SESSION}: whom the session is bound to
 * @param owner {@link Request#ownerId} of the request: in whose share sessions and identities are counted
 * @param outcome what the execution ended in: a response, or a terminal failure without changes; for
 *     {@link Request.Kind#OPEN_SESSION} a response with the bytes of the session's id
 * @param changes the resources it changed
 * @param eviction what is forgotten before this update is applied
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
    Eviction eviction) {
  private static final int OVERHEAD_BYTES = 200;

  /** An update that evicts nothing and counts in no owner's share. */
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

  /** Completes the ids of entries, see {@link StateChange#NUMBERED}, when the update has its place. */
  public StateUpdate {
    changes = index == 0 ? changes : StateChange.numbered(changes, index);
  }

  /** Roughly, in memory and in a frame. */
  public long bytes() {
    return bytes(outcome, changes) + 2L * principal.length();
  }

  /** What an update with this outcome and these changes weighs, roughly. */
  public static long bytes(Outcome outcome, List<StateChange> changes) {
    long bytes = OVERHEAD_BYTES + outcome.bytes();
    for (StateChange change : changes) {
      bytes += change.bytes();
    }
    return bytes;
  }
}
