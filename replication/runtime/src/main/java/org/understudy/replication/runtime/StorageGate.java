package org.understudy.replication.runtime;

import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.core.MembershipRecord;

/**
 * Keeps the one contract of effects: what is named after a store, in this step or a later one, happens after the record
 * is safe. Used under the core's exclusion only.
 *
 * <p>Bounded, however long the disk hangs. Of the records that are not being stored yet only the newest is kept: it says
 * what the older ones said. Messages and answers beyond {@link #MAX_HELD} are dropped: the protocol sends messages again,
 * and a call that gets no answer ends at its deadline.
 */
final class StorageGate {
  static final int MAX_HELD = 10_000;
  private static final Logger LOG = LoggerFactory.getLogger(StorageGate.class);

  private final Consumer<MembershipRecord> storage;
  /** The record that is being stored, or null; and the effects that wait for it. */
  private MembershipRecord storing;
  private ArrayDeque<Runnable> held = new ArrayDeque<>();
  /** The record that is stored next, or null; and the effects that wait for it. */
  private MembershipRecord next;
  private ArrayDeque<Runnable> heldForNext = new ArrayDeque<>();
  private boolean dropping;

  StorageGate(Consumer<MembershipRecord> storage) {
    this.storage = storage;
  }

  boolean closed() {
    return storing != null;
  }

  void store(MembershipRecord record) {
    if (storing == null) {
      storing = record;
      storage.accept(record);
    } else {
      next = record;
    }
  }

  /** Lets this effect pass when what was stored before is safe. */
  void hold(Runnable effect) {
    (next == null ? held : heldForNext).addLast(effect);
  }

  /** The same, for an effect that may be lost; it is, when too many wait. */
  void holdOrDrop(Runnable effect) {
    if (size() < MAX_HELD) {
      hold(effect);
    } else if (!dropping) {
      dropping = true;
      LOG.warn(
          "{} messages and answers wait until the membership record is stored; further ones are dropped. The disk seems to"
              + " hang: look at understudy.directory.",
          MAX_HELD);
    }
  }

  /** How many effects wait. */
  int size() {
    return held.size() + heldForNext.size();
  }

  /** The record that was being stored is safe: lets pass what waited for it, and stores the next. */
  void stored() {
    while (!held.isEmpty()) {
      held.pollFirst().run();
    }
    ArrayDeque<Runnable> empty = held;
    held = heldForNext;
    heldForNext = empty;
    storing = next;
    next = null;
    dropping = false;
    if (storing != null) {
      storage.accept(storing);
    }
  }
}
