package org.understudy.replication.core;

import java.util.List;

/**
 * What the primary sends after executing (Zhang et al. 2004, section 2.3): request id, response, new state, as one. Its
 * index stays the same over view changes.
 *
 * @param index from 1, without gaps
 * @param kind never {@link Request.Kind#READ}
 * @param key of the request, or null when a repetition cannot be told
 * @param digest of the request
 * @param ackBelow of the request
 * @param principal for {@link Request.Kind#OPEN_SESSION}: whom the session is bound to
 * @param outcome what the execution ended in: a response, or a terminal failure without changes
 * @param changes the resources it changed
 */
public record StateUpdate(
    long index,
    Request.Kind kind,
    RequestKey key,
    long digest,
    long ackBelow,
    String principal,
    Outcome outcome,
    List<StateChange> changes) {
  /** Completes the ids of entries, see {@link StateChange#NUMBERED}. */
  public StateUpdate {
    changes = StateChange.numbered(changes, index);
  }

  /** Roughly, in memory. */
  public long bytes() {
    long bytes = 200 + outcome.bytes();
    for (StateChange change : changes) {
      bytes += 100 + (change.state() == null ? 0 : change.state().length);
    }
    return bytes;
  }
}
