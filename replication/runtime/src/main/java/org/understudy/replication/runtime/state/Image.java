package org.understudy.replication.runtime.state;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.understudy.replication.core.update.StateChange;

/**
 * The captured state of every resource, for threads that do not hold the core's lock. Written under the lock, read without
 * it.
 */
public final class Image implements AppliedState, WholeState {
  static final int MAX_REMOVED = 10_000;

  /**
   * @param state null: the resource was removed, and the generation marks live objects of it as stale
   * @param generation grows when live objects become stale
   * @param version of the update that left this state
   */
  private record Entry(byte[] state, long generation, long version) {}

  private volatile ConcurrentHashMap<String, Entry> entries = new ConcurrentHashMap<>();
  /** The parts received so far of a state that will replace this one. */
  private ConcurrentHashMap<String, Entry> arriving = new ConcurrentHashMap<>();
  private final int maxRemoved;
  private final boolean remembersRemovals;
  /** Both only grow; an object restored at or after {@link #expired} and at its entry's generation is up to date. */
  private volatile long generations = 1;
  private volatile long expired = 1;
  /** The version of the last applied update. */
  private volatile long applied;
  /** The version of the last update that the listeners have been notified of. */
  private volatile long notified;
  /** The number of entries for removed resources. */
  private int removed;

  /** @param remembersRemovals false for a mutant */
  public Image(boolean remembersRemovals) {
    this(MAX_REMOVED, remembersRemovals);
  }

  /** @param maxRemoved the number of removals that are remembered individually; one more expires all live objects once */
  public Image(int maxRemoved) {
    this(maxRemoved, true);
  }

  private Image(int maxRemoved, boolean remembersRemovals) {
    this.maxRemoved = maxRemoved;
    this.remembersRemovals = remembersRemovals;
  }

  @Override
  public byte[] state(String resource) {
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

  @Override
  public long stateVersion(String resource) {
    Entry entry = entries.get(resource);
    return entry == null ? expired : Math.max(expired, entry.generation());
  }

  /** Of an unknown resource: one at which it did not exist. */
  @Override
  public long version(String resource) {
    if (resource.endsWith("/")) {
      return notified;
    }
    // In this order: an update applied in between has a higher version.
    long absent = applied;
    Entry entry = entries.get(resource);
    return entry == null ? absent : entry.version();
  }

  /** Called when the listeners have been notified of applied updates. */
  public void notified() {
    if (notified != applied) {
      notified = applied;
    }
  }

  /** The number of entries, including those of removed resources. */
  int size() {
    return entries.size();
  }

  /**
   * @param version of the update
   * @param own whether live objects already show these changes, because this replica executed them
   */
  public void apply(long version, List<StateChange> changes, boolean own) {
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
    // In this order: a reader that finds no entry finds a generation above that of every object restored earlier.
    expired = next();
    entries.values().removeIf(entry -> entry.state() == null);
    removed = 0;
  }

  /**
   * Stores a part of another state.
   *
   * @param part from 0, which drops the parts before it
   * @param version of that state
   */
  public void receive(int part, long version, List<StateChange> resources) {
    if (part == 0) {
      arriving = new ConcurrentHashMap<>();
    }
    for (StateChange resource : resources) {
      arriving.put(resource.resource(), new Entry(resource.state(), 0, version));
    }
  }

  /** Replaces the state by the one received in parts. */
  public void replace(long version) {
    // In this order: a reader that finds the new generation finds the new state.
    entries = arriving;
    applied = version;
    expired = next();
    arriving = new ConcurrentHashMap<>();
    removed = 0;
  }

  public void expireAll() {
    expired = next();
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer at a time, under the core's lock
  private long next() {
    return ++generations;
  }
}
