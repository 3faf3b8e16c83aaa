package org.understudy.replication.core.session;

import org.understudy.replication.core.Outcome;
import org.understudy.replication.core.RequestKey;
import org.understudy.replication.core.store.Item;

/**
 * An outcome kept for repetitions of its request.
 *
 * @param index of the state update it came with: it may be returned when that is stable
 */
public record StoredReply(long digest, long index, Outcome outcome) {
  private static final int OVERHEAD_BYTES = 150;

  /** Roughly, in memory. */
  long bytes() {
    return bytes(outcome);
  }

  /** What a kept reply with this outcome weighs, roughly. */
  public static long bytes(Outcome outcome) {
    return OVERHEAD_BYTES + outcome.bytes();
  }

  /** As a state transfer brings it. */
  Item.StoredReply item(RequestKey key) {
    return new Item.StoredReply(key, digest, index, outcome);
  }
}
