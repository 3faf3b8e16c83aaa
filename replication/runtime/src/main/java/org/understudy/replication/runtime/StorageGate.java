package org.understudy.replication.runtime;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.core.record.DurableRecord;

/**
 * Enforces the ordering guarantee of effects: those requested after a store, in this step or a later one, happen after the
 * record is durable. Used under the core's lock only.
 *
 * <p>One batch of records is stored at a time. Records that arrive meanwhile are stored together next, without those that a
 * later one supersedes. Messages and answers beyond {@link #MAX_HELD} are dropped: the protocol resends messages, and a
 * call without an answer ends at its deadline. So the memory is bounded however long the disk hangs, as long as records
 * supersede each other; a strategy whose records do not must wait for {@link org.understudy.replication.core.Input.Stored}
 * before it stores too many. Records that are appended hold no effects; they are stored in the same order as the others.
 */
final class StorageGate {
  static final int MAX_HELD = 10_000;
  private static final Logger LOG = LoggerFactory.getLogger(StorageGate.class);

  /** Records that become durable together, and the effects that wait for them. */
  private static final class Batch {
    final List<DurableRecord> records = new ArrayList<>(1);
    final ArrayDeque<Runnable> held = new ArrayDeque<>();
    /** Whether effects must wait for a record of this batch. */
    boolean holds;
    /** The token of the last record. */
    long token;
  }

  private final Consumer<List<DurableRecord>> storage;
  private final boolean holding;
  /** The batch being stored; null for none. */
  private Batch storing;
  /** The next batch; null when nothing waits. */
  private Batch next;
  private boolean dropping;

  /**
   * @param storage begins to store records; {@link #stored} and then {@link #storeNext} are called when they are durable
   * @param holding false for a mutant that holds nothing
   */
  StorageGate(Consumer<List<DurableRecord>> storage, boolean holding) {
    this.storage = storage;
    this.holding = holding;
  }

  /** Whether effects must wait. */
  boolean closed() {
    return holding && ((storing != null && storing.holds) || (next != null && next.holds));
  }

  /** Stores a record; later effects wait for it. */
  void store(long token, DurableRecord record) {
    add(token, record, true);
  }

  /** Stores a record; no effect waits for it. */
  void append(long token, DurableRecord record) {
    add(token, record, false);
  }

  private void add(long token, DurableRecord record, boolean holds) {
    Batch batch = new Batch();
    if (storing == null) {
      storing = batch;
    } else if (next == null) {
      next = batch;
    } else {
      batch = next;
      if (holds) {
        batch.records.removeIf(record::supersedes);
      }
    }
    batch.holds |= holds;
    batch.records.add(record);
    batch.token = token;
    if (batch == storing) {
      storage.accept(List.copyOf(batch.records));
    }
  }

  /** Runs this effect when the records before it are durable. */
  void hold(Runnable effect) {
    (next == null || !next.holds ? storing : next).held.addLast(effect);
  }

  /** Like {@link #hold}, for an effect that may be lost: it is dropped when too many wait. */
  void holdOrDrop(Runnable effect) {
    if (size() < MAX_HELD) {
      hold(effect);
    } else if (!dropping) {
      dropping = true;
      LOG.warn(
          "{} messages and answers wait until the {} record is stored; further ones are dropped. The disk seems to "
              + "hang: check understudy.directory.",
          MAX_HELD, storing.records.get(0).kind().name());
    }
  }

  /** The number of waiting effects. */
  int size() {
    return (storing == null ? 0 : storing.held.size()) + (next == null ? 0 : next.held.size());
  }

  /**
   * The stored records are durable: runs the effects that waited for them. {@link #storeNext} follows.
   *
   * @return the token of the last record
   */
  long stored() {
    while (!storing.held.isEmpty()) {
      storing.held.pollFirst().run();
    }
    storing.holds = false;
    dropping = false;
    return storing.token;
  }

  /** Stores the next batch: what has gathered until now. */
  void storeNext() {
    storing = next;
    next = null;
    if (storing != null) {
      storage.accept(List.copyOf(storing.records));
    }
  }
}
