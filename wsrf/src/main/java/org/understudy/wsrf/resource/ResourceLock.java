package org.understudy.wsrf.resource;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The lock of one resource: shared by reads or exclusive to one update, granted in the order of requests. Claims own it, not
 * threads: any thread may end a claim. No method blocks, and callbacks run while no monitor is held. Thread-safe.
 */
final class ResourceLock {
  private static final int EXCLUSIVE = -1;
  /** The granted claims whose callbacks the thread has yet to run, of any lock; null while it runs none. */
  private static final ThreadLocal<ArrayDeque<Claim>> CALLBACKS = new ThreadLocal<>();

  private final ArrayDeque<Claim> waiting = new ArrayDeque<>(2);
  /** The number of claims that share the lock, or {@link #EXCLUSIVE}. */
  private int holders;
  private boolean closed;

  /** The state of a claim. */
  enum State {
    NEW,
    WAITING,
    HELD,
    /** Released or withdrawn. */
    ENDED,
    /** The lock can no longer be acquired; there may be another one for the same resource. */
    CLOSED
  }

  /** A claim on the lock, requested once and ended once. */
  final class Claim {
    private final Runnable granted;
    private boolean shared;
    private State state = State.NEW;

    private Claim(boolean shared, Runnable granted) {
      this.shared = shared;
      this.granted = granted;
    }

    /**
     * Requests the lock.
     *
     * @return HELD, and the callback never runs; WAITING, and the callback runs once, unless the claim is ended before;
     *     CLOSED; or ENDED when the claim was ended before this call
     */
    State request() {
      synchronized (ResourceLock.this) {
        if (state != State.NEW) {
          return state;
        }
        if (closed) {
          state = State.CLOSED;
        } else if (waiting.isEmpty() && isFree(this)) {
          hold(this);
        } else {
          state = State.WAITING;
          waiting.add(this);
        }
        return state;
      }
    }

    /** Downgrades this claim from exclusive to shared and grants the waiting reads. */
    void share() {
      List<Claim> next;
      synchronized (ResourceLock.this) {
        if (state != State.HELD || shared) {
          return;
        }
        shared = true;
        holders = 1;
        next = admit();
      }
      callBack(next);
    }

    /**
     * Releases the lock or leaves the queue. Callbacks of claims granted thereby run before this returns; within a callback, they
     * run after it. Idempotent.
     */
    void end() {
      List<Claim> next;
      synchronized (ResourceLock.this) {
        if (state == State.HELD) {
          holders = shared ? holders - 1 : 0;
        } else if (state == State.WAITING) {
          waiting.remove(this);
        }
        state = state == State.CLOSED ? state : State.ENDED;
        next = admit();
      }
      callBack(next);
    }

    /** Closes the lock, if this claim holds it and no other claim holds it or waits. */
    boolean close() {
      synchronized (ResourceLock.this) {
        if (state == State.HELD && waiting.isEmpty() && holders == (shared ? 1 : EXCLUSIVE)) {
          closed = true;
        }
        return closed;
      }
    }
  }

  /** @param granted runs when the claim is granted later than it was requested; must not block, and may end claims */
  Claim claim(boolean shared, Runnable granted) {
    return new Claim(shared, granted);
  }

  /** Whether a claim holds or awaits the lock. */
  synchronized boolean isUsed() {
    return holders != 0 || !waiting.isEmpty();
  }

  /**
   * Runs the callbacks of granted claims. A callback that ends its own claim grants the next one: its callback waits here for its
   * turn, because a nested call for each of many waiting claims would exhaust the stack and leave the lock held.
   */
  private static void callBack(List<Claim> granted) {
    if (granted.isEmpty()) {
      return;
    }
    ArrayDeque<Claim> outer = CALLBACKS.get();
    if (outer != null) {
      outer.addAll(granted);
      return;
    }
    ArrayDeque<Claim> next = new ArrayDeque<>(granted);
    CALLBACKS.set(next);
    List<Throwable> thrown = new ArrayList<>(0);
    while (!next.isEmpty()) {
      try {
        next.poll().granted.run();
      } catch (RuntimeException | Error e) {
        // The other claims hold the lock as well, and must learn it.
        thrown.add(e);
      }
    }
    CALLBACKS.remove();
    rethrow(thrown);
  }

  private static void rethrow(List<Throwable> thrown) {
    if (thrown.isEmpty()) {
      return;
    }
    Throwable first = thrown.get(0);
    thrown.stream().skip(1).filter(other -> other != first).forEach(first::addSuppressed);
    if (first instanceof Error error) {
      throw error;
    }
    throw (RuntimeException) first;
  }

  private boolean isFree(Claim claim) {
    return claim.shared ? holders >= 0 : holders == 0;
  }

  private void hold(Claim claim) {
    claim.state = State.HELD;
    holders = claim.shared ? holders + 1 : EXCLUSIVE;
  }

  private List<Claim> admit() {
    if (waiting.isEmpty()) {
      return List.of();
    }
    List<Claim> admitted = new ArrayList<>(1);
    while (!waiting.isEmpty() && isFree(waiting.peek())) {
      Claim next = waiting.poll();
      hold(next);
      admitted.add(next);
    }
    return admitted;
  }
}
