package org.understudy.wsrf.resource;

import java.util.function.BooleanSupplier;

/**
 * Acquires and releases the lock of one transaction's resource, each once. Thread-safe; nothing
 * here waits.
 */
final class Entrance {
  private enum State {
    WAITING,
    IN,
    OVER
  }

  private final Resources home;
  private final String id;
  private final boolean read;
  private final BooleanSupplier shown;
  /** Null for a visit to no resource. */
  private LiveResource resource;

  // Guarded by this.
  private State state = State.WAITING;
  private ResourceLock.Claim claim;

  /**
   * @param id null for a visit to no resource
   * @param shown whether the object of the resource is up to date with the replica; called while the lock is held
   */
  Entrance(Resources home, String id, boolean read, BooleanSupplier shown) {
    this.home = home;
    this.id = id;
    this.read = read;
    this.shown = shown;
  }

  /** See {@link ResourceTransaction#request}. */
  boolean request(Runnable granted) {
    if (id == null) {
      return enter();
    }
    while (true) {
      LiveResource asked = home.resource(id);
      ResourceLock.Claim one =
          asked.lock.claim(
              read,
              () -> {
                if (admitted(granted)) {
                  granted.run();
                }
              });
      synchronized (this) {
        resource = asked;
        claim = one;
      }
      switch (one.request()) {
        case HELD -> {
          return admitted(granted);
        }
        case CLOSED -> home.remove(id, asked);
        default -> {
          return false;
        }
      }
    }
  }

  /**
   * The lock is held. Since the state of a service that keeps it in itself is one object for all, a read restores it alone
   * and then shares it.
   *
   * @return whether the visit is in
   */
  private boolean admitted(Runnable granted) {
    if (!read || !Resources.SERVICE.equals(id) || shown.getAsBoolean()) {
      return enter();
    }
    ResourceLock.Claim alone =
        resource.lock.claim(
            false,
            () -> {
              if (enter()) {
                granted.run();
              }
            });
    ResourceLock.Claim shared;
    synchronized (this) {
      if (state == State.OVER) {
        return false;
      }
      shared = claim;
      claim = alone;
    }
    // Behind those who wait already, this read's own share included: none is delayed for long.
    alone.request();
    shared.end();
    return false;
  }

  private synchronized boolean enter() {
    if (state == State.WAITING) {
      state = State.IN;
      return true;
    }
    return false;
  }

  /** The requested resource; null for none. */
  LiveResource resource() {
    return resource;
  }

  /** See {@link ResourceTransaction#withdraw}. */
  boolean withdraw() {
    ResourceLock.Claim withdrawn;
    synchronized (this) {
      if (state != State.WAITING) {
        return false;
      }
      state = State.OVER;
      withdrawn = claim;
    }
    if (withdrawn != null) {
      withdrawn.end();
    }
    return true;
  }

  /** Lets reads in beside the visit. */
  void share() {
    ResourceLock.Claim held;
    synchronized (this) {
      held = claim;
    }
    held.share();
  }

  /**
   * The visit is over.
   *
   * @param before runs once, before the lock is given back
   */
  void leave(Runnable before) {
    ResourceLock.Claim held;
    synchronized (this) {
      if (state == State.OVER) {
        return;
      }
      state = State.OVER;
      held = claim;
    }
    before.run();
    if (held != null) {
      resource.occupied = false;
      home.release(id, resource, held);
    }
  }
}
