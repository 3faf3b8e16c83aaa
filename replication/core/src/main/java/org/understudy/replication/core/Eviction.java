package org.understudy.replication.core;

/**
 * What a state update lets every replica forget. The primary decides it; nothing is forgotten by a replica's own limits
 * or clock.
 *
 * @param identitiesUpTo identities of requests known by message id end that came with this index or an earlier one
 * @param repliesUpTo replies to such requests are discarded that came with this index or an earlier one; their
 *     identities stay
 */
public record Eviction(long identitiesUpTo, long repliesUpTo) {
  public static final Eviction NONE = new Eviction(0, 0);
}
