package org.understudy.wsrf.resource;

import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/**
 * Acquires and releases the lock of one transaction's resource, each once. Thread-safe; no method blocks.
 */
final class LockAcquisition {
  private enum State {
    WAITING,
    HELD,
    ENDED
  }

  private final Resources home;
  private final String id;
  private final boolean read;
  private final BooleanSupplier upToDate;
  /** Null for a transaction without a resource. */
  private LiveResource resource;

  // Guarded by this.
  private State state = State.WAITING;
  private ResourceLock.Claim claim;

  /**
   * @param id null for a transaction without a resource
   * @param upToDate whether the object of the resource is up to date with the replica; called while the lock is held
   */
  LockAcquisition(Resources home, String id, boolean read, BooleanSupplier upToDate) {
    this.home = home;
    this.id = id;
    this.read = read;
    this.upToDate = upToDate;
  }

  /** See {@link ResourceTransaction#request}. */
  boolean request(IntSupplier priority, Runnable granted) {
    if (id == null) {
      return enter();
    }
    while (true) {
      LiveResource requested = home.resource(id);
      ResourceLock.Claim one =
          requested.lock.claim(
              read,
              priority,
              () -> {
                if (lockGranted(granted)) {
                  granted.run();
                }
              });
      synchronized (this) {
        resource = requested;
        claim = one;
      }
      switch (one.request()) {
        case HELD -> {
          return lockGranted(granted);
        }
        case CLOSED -> home.remove(id, requested);
        default -> {
          return false;
        }
      }
    }
  }

  /**
   * Called when the claim holds the lock. A service that keeps its state in itself has one object, which all reads share. A
   * read that finds it stale first acquires the lock exclusively to restore it, and then shares the lock.
   *
   * @return whether the transaction may begin
   */
  private boolean lockGranted(Runnable granted) {
    if (!read || !Resources.SERVICE.equals(id) || upToDate.getAsBoolean()) {
      return enter();
    }
    ResourceLock.Claim exclusive =
        resource.lock.claim(
            false,
            () -> {
              if (enter()) {
                granted.run();
              }
            });
    ResourceLock.Claim shared;
    synchronized (this) {
      if (state == State.ENDED) {
        return false;
      }
      shared = claim;
      claim = exclusive;
    }
    // The exclusive claim queues behind all waiting claims, and behind this read's shared one, which ends next.
    exclusive.request();
    shared.end();
    return false;
  }

  private synchronized boolean enter() {
    if (state == State.WAITING) {
      state = State.HELD;
      return true;
    }
    return false;
  }

  /** The requested resource; null for none. */
  LiveResource resource() {
    return resource;
  }

  /** See {@link ResourceTransaction#heldBy}. */
  synchronized void heldBy(Object holder) {
    // A read of a copy holds no lock.
    if (state == State.HELD && resource != null) {
      resource.holder = holder;
    }
  }

  /** Whether the lock is held. */
  synchronized boolean isHeld() {
    return state == State.HELD;
  }

  /** See {@link ResourceTransaction#withdraw}. */
  boolean withdraw() {
    ResourceLock.Claim withdrawn;
    synchronized (this) {
      if (state != State.WAITING) {
        return false;
      }
      state = State.ENDED;
      withdrawn = claim;
    }
    if (withdrawn != null) {
      withdrawn.end();
    }
    return true;
  }

  /** Downgrades the exclusive lock to a shared one, so that other reads can begin. */
  void share() {
    ResourceLock.Claim held;
    synchronized (this) {
      held = claim;
    }
    held.share();
  }

  /**
   * Releases the lock. Later calls have no effect.
   *
   * @param before runs once, before the lock is released
   */
  void release(Runnable before) {
    ResourceLock.Claim held;
    synchronized (this) {
      if (state == State.ENDED) {
        return;
      }
      state = State.ENDED;
      held = claim;
    }
    before.run();
    if (held != null) {
      resource.occupied = false;
      resource.holder = null;
      home.release(id, resource, held);
    }
  }
}
