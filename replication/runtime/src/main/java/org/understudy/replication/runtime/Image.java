package org.understudy.replication.runtime;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.understudy.replication.core.StateChange;

/** The captured state of every resource, for threads outside the core's exclusion. Written under it, read by all. */
final class Image {
  static final int MAX_REMOVED = 10_000;

  /** @param state null: the resource was removed, and the version tells live objects of it so */
  private record Entry(byte[] state, long version) {}

  private final ConcurrentHashMap<String, Entry> entries = new ConcurrentHashMap<>();
  private final int maxRemoved;
  private final boolean remembersRemovals;
  /** Versions only grow; an object restored at or after {@link #expired} and at its entry's version is up to date. */
  private volatile long versions = 1;
  private volatile long expired = 1;
  /** Entries that only remember a removal. */
  private int removed;

  /** @param remembersRemovals false for a mutant */
  Image(boolean remembersRemovals) {
    this(MAX_REMOVED, remembersRemovals);
  }

  /** @param maxRemoved so many removals are remembered one by one; one more expires all live objects once */
  Image(int maxRemoved) {
    this(maxRemoved, true);
  }

  private Image(int maxRemoved, boolean remembersRemovals) {
    this.maxRemoved = maxRemoved;
    this.remembersRemovals = remembersRemovals;
  }

  byte[] state(String resource) {
    Entry entry = entries.get(resource);
    return entry == null ? null : entry.state();
  }

  Map<String, byte[]> states() {
    Map<String, byte[]> states = new HashMap<>();
    entries.forEach(
        (resource, entry) -> {
          if (entry.state() != null) {
            states.put(resource, entry.state());
          }
        });
    return states;
  }

  long version(String resource) {
    Entry entry = entries.get(resource);
    return entry == null ? expired : Math.max(expired, entry.version());
  }

  /** How many entries are kept, those of removed resources too. */
  int size() {
    return entries.size();
  }

  /** @param own whether live objects already show these changes, since this replica executed them */
  void apply(List<StateChange> changes, boolean own) {
    long version = own ? 0 : next();
    for (StateChange change : changes) {
      Entry old = entries.get(change.resource());
      if (change.state() != null) {
        put(change.resource(), old, new Entry(change.state(), own && old != null ? old.version() : version));
      } else if (old != null && !remembersRemovals) {
        entries.remove(change.resource());
      } else if (old != null) {
        // Without an entry the version would fall back to one that a live object may have.
        put(change.resource(), old, new Entry(null, own ? next() : version));
      }
    }
    if (removed > maxRemoved) {
      forgetRemoved();
    }
  }

  private void put(String resource, Entry old, Entry fresh) {
    entries.put(resource, fresh);
    boolean wasRemoved = old != null && old.state() == null;
    boolean isRemoved = fresh.state() == null;
    removed += (isRemoved ? 1 : 0) - (wasRemoved ? 1 : 0);
  }

  private void forgetRemoved() {
    // In this order: who finds no entry finds a version above that of every object restored before.
    expired = next();
    entries.values().removeIf(entry -> entry.state() == null);
    removed = 0;
  }

  void replace(Map<String, byte[]> whole) {
    long version = next();
    entries.replaceAll((resource, old) -> whole.containsKey(resource) ? old : new Entry(null, version));
    whole.forEach((resource, state) -> entries.put(resource, new Entry(state, version)));
    expired = version;
    entries.values().removeIf(entry -> entry.state() == null);
    removed = 0;
  }

  void expireAll() {
    expired = next();
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer at a time, under the core's exclusion
  private long next() {
    return ++versions;
  }
}
