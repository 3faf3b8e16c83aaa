package org.understudy.durability.proxy;

import java.nio.ByteBuffer;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/**
 * A state object whose content other replicas do not hold. They only know its stamp, which changes with each action that changes the
 * object: a replica whose object has another stamp, because of a rollback or another primary's action, loads or empties it before the
 * next use.
 *
 * @param <T> the interface of the state object
 */
public abstract sealed class LocalObjectProxy<T> extends StateObjectProxy<T> permits DatabaseProxy, ReconstructionProxy {
  private static final long NOT_LOADED = -1;

  private final Supplier<? extends T> empty;
  private final String description;
  private T object;
  /** The stamp of the object that this replica has in memory. Written after the object. */
  private volatile long loaded;
  /** The stamp of the group's state. */
  private volatile long stamp;
  /** The stamp before the open action or transaction. */
  private long before;
  private boolean changed;
  private boolean completed;

  /** @param toLoad whether the object is loaded before its first use */
  LocalObjectProxy(String name, Supplier<? extends T> empty, boolean toLoad) {
    super(name);
    this.empty = empty;
    this.object = empty.get();
    this.loaded = toLoad ? NOT_LOADED : 0;
    this.description = getClass().getSuperclass().getSimpleName();
  }

  /** The state object, loaded if this replica's one is stale. May block then, if it is loaded from a database. */
  protected final T object() {
    if (!isRunning()) {
      if (loaded != stamp) {
        reload();
      }
      beforeUse();
    }
    return object;
  }

  /** Called before each use of the object in memory, but for those by its running method. */
  void beforeUse() {}

  /** Whether an update method of the object runs, which goes on with the object that it began with. */
  boolean isRunning() {
    return false;
  }

  /** Synchronized, because reads share the object. Only the first one after a change elsewhere loads it. */
  private synchronized void reload() {
    if (loaded != stamp) {
      object = load();
      loaded = stamp;
    }
  }

  /** A new object without content. */
  final T empty() {
    return empty.get();
  }

  /** Returns the content for this replica to go on with. */
  abstract T load();

  /** Replaces the object by one that {@link #load} returns, now. */
  final synchronized void loadNow() {
    object = load();
    loaded = stamp;
  }

  /** Replaces the object within an action that has changed it. */
  final void use(T fresh) {
    object = fresh;
  }

  /** The object in memory must be loaded before its next use. */
  final void unload() {
    loaded = NOT_LOADED;
  }

  /** The same, when another thread may load the object: what it loads is too old. */
  final synchronized void refresh() {
    unload();
  }

  /**
   * Called before each change of the object.
   *
   * @throws IllegalStateException outside an action
   */
  final void changing() {
    requireAction();
    if (!changed) {
      object();
      changed = true;
      before = stamp;
      // Random: two primaries never give two contents the same one.
      stamp = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
      loaded = stamp;
    }
  }

  final boolean isChanged() {
    return changed;
  }

  @Override
  void complete() {
    completed |= changed;
    changed = false;
  }

  @Override
  void drop() {
    if (changed) {
      changed = false;
      stamp = before;
      unload();
    }
  }

  @Override
  void keep() {}

  @Override
  void undo() {
    drop();
  }

  @Override
  final void takeUpdate(int number, UpdateWriter update) {
    if (takeCompleted()) {
      update.add(number, UpdateWriter.Kind.STAMP, state());
    }
  }

  /** Whether actions since the last call have changed the object. */
  final boolean takeCompleted() {
    boolean taken = completed;
    completed = false;
    return taken;
  }

  @Override
  final void applyUpdate(UpdateWriter.Kind kind, byte[] part) {
    if (kind != UpdateWriter.Kind.STAMP) {
      throw UpdateWriter.Reader.damaged();
    }
    restore(part);
  }

  @Override
  final byte[] state() {
    return ByteBuffer.allocate(Long.BYTES).putLong(changed ? before : stamp).array();
  }

  @Override
  final void restore(byte[] state) {
    if (state.length != Long.BYTES) {
      throw UpdateWriter.Reader.damaged();
    }
    completed = false;
    stamp = ByteBuffer.wrap(state).getLong();
  }

  @Override
  final String description() {
    return description;
  }
}
