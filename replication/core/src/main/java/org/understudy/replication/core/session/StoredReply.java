package org.understudy.replication.core.session;

import org.understudy.replication.core.request.Outcome;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.store.Item;

/**
 * An outcome stored for duplicates of its request.
 *
 * @param index of the state update that brought it: it may be returned when that is stable
 */
public record StoredReply(long digest, long index, Outcome outcome) {
  private static final int OVERHEAD_BYTES = 150;

  /** The approximate size in memory. */
  long bytes() {
    return bytes(outcome);
  }

  /** The approximate size of a stored reply with this outcome. */
  public static long bytes(Outcome outcome) {
    return OVERHEAD_BYTES + outcome.bytes();
  }

  /** The reply as an item of a state transfer. */
  Item.StoredReply item(RequestKey key) {
    return new Item.StoredReply(key, digest, index, outcome);
  }
}
