package org.understudy.replication.runtime;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.understudy.replication.core.StateChange;

/** The captured state of every resource, for threads outside the core's exclusion. Written under it, read by all. */
final class Image implements WholeState {
  static final int MAX_REMOVED = 10_000;

  /**
   * @param state null: the resource was removed, and the generation marks live objects of it as outdated
   * @param generation grows when live objects are out of date
   * @param version of the update that left this state
   */
  private record Entry(byte[] state, long generation, long version) {}

  private volatile ConcurrentHashMap<String, Entry> entries = new ConcurrentHashMap<>();
  /** What has come of a state that is to take the place of this one. */
  private ConcurrentHashMap<String, Entry> arriving = new ConcurrentHashMap<>();
  private final int maxRemoved;
  private final boolean remembersRemovals;
  /** Only grow; an object restored at or after {@link #expired} and at its entry's generation is up to date. */
  private volatile long generations = 1;
  private volatile long expired = 1;
  /** Of the last update that is applied. */
  private volatile long applied;
  /** Of the last update that the listeners have been notified of. */
  private volatile long told;
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

  @Override
  public void forEach(BiConsumer<String, byte[]> taker) {
    entries.forEach(
        (resource, entry) -> {
          if (entry.state() != null) {
            taker.accept(resource, entry.state());
          }
        });
  }

  long generation(String resource) {
    Entry entry = entries.get(resource);
    return entry == null ? expired : Math.max(expired, entry.generation());
  }

  /** Of a resource that is not known: a version at which it was not. See {@link ReplicatedState#version}. */
  long version(String resource) {
    if (resource.endsWith("/")) {
      return told;
    }
    // In this order: whatever is applied meanwhile has a higher one.
    long absent = applied;
    Entry entry = entries.get(resource);
    return entry == null ? absent : entry.version();
  }

  /** The listeners have been notified of what was applied. */
  void told() {
    if (told != applied) {
      told = applied;
    }
  }

  /** How many entries are kept, those of removed resources too. */
  int size() {
    return entries.size();
  }

  /**
   * @param version of the update
   * @param own whether live objects already show these changes, since this replica executed them
   */
  void apply(long version, List<StateChange> changes, boolean own) {
    long generation = own ? 0 : next();
    for (StateChange change : changes) {
      Entry old = entries.get(change.resource());
      if (change.state() != null) {
        put(change.resource(), old, new Entry(change.state(), own && old != null ? old.generation() : generation, version));
      } else if (old != null && !remembersRemovals) {
        entries.remove(change.resource());
      } else if (old != null) {
        // Without an entry the generation would fall back to one that a live object may have.
        put(change.resource(), old, new Entry(null, own ? next() : generation, version));
      }
    }
    applied = version;
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
    // In this order: who finds no entry finds a generation above that of every object restored before.
    expired = next();
    entries.values().removeIf(entry -> entry.state() == null);
    removed = 0;
  }

  /**
   * Keeps a part of another state aside.
   *
   * @param part from 0, which drops the parts before it
   * @param version of that state
   */
  void receive(int part, long version, List<StateChange> resources) {
    if (part == 0) {
      arriving = new ConcurrentHashMap<>();
    }
    for (StateChange resource : resources) {
      arriving.put(resource.resource(), new Entry(resource.state(), 0, version));
    }
  }

  /** Becomes the state that has come in parts. */
  void replace(long version) {
    // In this order: who finds the new generation finds the new state.
    entries = arriving;
    applied = version;
    expired = next();
    arriving = new ConcurrentHashMap<>();
    removed = 0;
  }

  void expireAll() {
    expired = next();
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer at a time, under the core's exclusion
  private long next() {
    return ++generations;
  }
}
