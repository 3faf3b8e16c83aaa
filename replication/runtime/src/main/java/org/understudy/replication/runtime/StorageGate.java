package org.understudy.replication.runtime;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.core.DurableRecord;

/**
 * Keeps the one contract of effects: what is named after a store, in this step or a later one, happens after the record
 * is safe. Used under the core's exclusion only.
 *
 * <p>One batch of records is being stored at a time. Records that are named meanwhile wait together and are stored next,
 * without those that a later one supersedes. Messages and answers beyond {@link #MAX_HELD} are dropped: the protocol sends
 * messages again, and a call that gets no answer ends at its deadline. So the memory is bounded however long the disk
 * hangs, as long as records supersede each other; a strategy whose records do not waits for
 * {@link org.understudy.replication.core.Input.Stored} before it names too many.
 */
final class StorageGate {
  static final int MAX_HELD = 10_000;
  private static final Logger LOG = LoggerFactory.getLogger(StorageGate.class);

  /** Records that become durable together, and the effects that wait for them. */
  private static final class Batch {
    final List<DurableRecord> records = new ArrayList<>(1);
    final ArrayDeque<Runnable> held = new ArrayDeque<>();
    /** Of the record that was named last. */
    long token;
  }

  private final Consumer<List<DurableRecord>> storage;
  private final boolean holding;
  /** What is being stored; null when nothing is. */
  private Batch storing;
  /** What is stored next; null when nothing waits. */
  private Batch next;
  private boolean dropping;

  /**
   * @param storage begins to store records; {@link #stored} is called when they are durable
   * @param holding false for a mutant, which lets everything pass
   */
  StorageGate(Consumer<List<DurableRecord>> storage, boolean holding) {
    this.storage = storage;
    this.holding = holding;
  }

  /** Whether effects have to wait. */
  boolean closed() {
    return storing != null && holding;
  }

  void store(long token, DurableRecord record) {
    Batch batch = new Batch();
    if (storing == null) {
      storing = batch;
    } else if (next == null) {
      next = batch;
    } else {
      batch = next;
      batch.records.removeIf(record::supersedes);
    }
    batch.records.add(record);
    batch.token = token;
    if (batch == storing) {
      storage.accept(List.copyOf(batch.records));
    }
  }

  /** Lets this effect pass when what was stored before is safe. */
  void hold(Runnable effect) {
    (next == null ? storing : next).held.addLast(effect);
  }

  /** The same, for an effect that may be lost; it is, when too many wait. */
  void holdOrDrop(Runnable effect) {
    if (size() < MAX_HELD) {
      hold(effect);
    } else if (!dropping) {
      dropping = true;
      LOG.warn(
          "{} messages and answers wait until the {} record is stored; further ones are dropped. The disk seems to "
          + "hang: check"
              + " understudy.directory.",
          MAX_HELD, storing.records.get(0).kind().name());
    }
  }

  /** How many effects wait. */
  int size() {
    return (storing == null ? 0 : storing.held.size()) + (next == null ? 0 : next.held.size());
  }

  /**
   * The records that were being stored are safe: lets pass what waited for them, and stores the next.
   *
   * @return the token of the last of them
   */
  long stored() {
    Batch safe = storing;
    while (!safe.held.isEmpty()) {
      safe.held.pollFirst().run();
    }
    storing = next;
    next = null;
    dropping = false;
    if (storing != null) {
      storage.accept(List.copyOf(storing.records));
    }
    return safe.token;
  }
}
