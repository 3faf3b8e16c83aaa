package org.understudy.replication.core.update;

/**
 * Reply table entries that every replica evicts with a state update. The primary decides; no replica evicts by its own
 * limits or clock.
 *
 * @param identitiesUpTo evicts identities of requests known by message id that came with this index or an earlier one
 * @param repliesUpTo evicts replies to such requests that came with this index or an earlier one; their identities stay
 */
public record Eviction(long identitiesUpTo, long repliesUpTo) {
  public static final Eviction NONE = new Eviction(0, 0);
}
