package org.understudy.replication.runtime;

import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.understudy.replication.core.MembershipRecord;

/**
 * Keeps the one contract of effects: what is named after a store, in this step or a later one, happens after the record
 * is safe. Used under the core's exclusion only.
 *
 * <p>What waits is bounded by the protocol: records are stored in elections, when no update is executed and requests are
 * held by the core within its limits.
 */
final class StorageGate {
  /** Records and the effects behind them, in order; the record in front is being stored. */
  private final ArrayDeque<Object> waiting = new ArrayDeque<>();
  private final Consumer<MembershipRecord> storage;

  StorageGate(Consumer<MembershipRecord> storage) {
    this.storage = storage;
  }

  boolean closed() {
    return !waiting.isEmpty();
  }

  void store(MembershipRecord record) {
    waiting.addLast(record);
    if (waiting.size() == 1) {
      storage.accept(record);
    }
  }

  void hold(Runnable effect) {
    waiting.addLast(effect);
  }

  /** The record in front is safe: lets pass what waited for it, up to the next record. */
  void stored() {
    waiting.pollFirst();
    while (waiting.peekFirst() instanceof Runnable effect) {
      effect.run();
      waiting.pollFirst();
    }
    if (waiting.peekFirst() instanceof MembershipRecord next) {
      storage.accept(next);
    }
  }
}
