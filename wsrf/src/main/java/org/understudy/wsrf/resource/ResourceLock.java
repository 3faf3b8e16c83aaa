package org.understudy.wsrf.resource;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;

/**
 * The lock of one resource: shared by reads or exclusive to one update. Claims own it, not threads: any thread may end a claim. No
 * method blocks, and callbacks run while no monitor is held. Thread-safe.
 *
 * <p>Waiting claims are granted by priority, and in the order of requests within a priority. Claims without one come first. Each claim
 * is overtaken {@value #MAX_OVERTAKEN} times at most, so that none waits for ever.
 */
final class ResourceLock {
  static final int MAX_OVERTAKEN = 100;

  private static final int EXCLUSIVE = -1;
  /** The granted claims whose callbacks the thread has yet to run, of any lock; null while it runs none. */
  private static final ThreadLocal<ArrayDeque<Claim>> CALLBACKS = new ThreadLocal<>();

  /** In the order in which they will be granted. */
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
    /** Null for none. */
    private final IntSupplier priorities;
    private int priority = Integer.MAX_VALUE;
    /** How many later claims have overtaken this one. */
    private int overtaken;
    private boolean shared;
    private State state = State.NEW;

    private Claim(boolean shared, IntSupplier priorities, Runnable granted) {
      this.shared = shared;
      this.priorities = priorities;
      this.granted = granted;
    }

    /**
     * Requests the lock.
     *
     * @return HELD, and the callback never runs; WAITING, and the callback runs once, unless the claim is ended before;
     *     CLOSED; or ENDED when the claim was ended before this call
     */
    State request() {
      State at = request(priorities == null);
      if (at != State.NEW) {
        return at;
      }
      // Only a claim that waits needs its priority, which may take a while to find out.
      priority = priorities.getAsInt();
      return request(true);
    }

    /** @return NEW when the claim would have to wait and may not */
    private State request(boolean mayWait) {
      synchronized (ResourceLock.this) {
        if (state != State.NEW) {
          return state;
        }
        if (closed) {
          state = State.CLOSED;
        } else if (waiting.isEmpty() && isFree(this)) {
          hold(this);
        } else if (mayWait) {
          state = State.WAITING;
          enqueue(this);
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
    return new Claim(shared, null, granted);
  }

  /**
   * The same with a priority.
   *
   * @param priority a higher one is granted earlier; called on the thread that requests the lock if the claim has to wait. Null: the
   *     claim comes before those with a priority
   */
  Claim claim(boolean shared, IntSupplier priority, Runnable granted) {
    return new Claim(shared, priority, granted);
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

  private void enqueue(Claim claim) {
    ArrayDeque<Claim> later = new ArrayDeque<>(0);
    while (!waiting.isEmpty() && waiting.peekLast().priority < claim.priority && waiting.peekLast().overtaken < MAX_OVERTAKEN) {
      Claim passed = waiting.pollLast();
      passed.overtaken++;
      later.addFirst(passed);
    }
    waiting.addLast(claim);
    waiting.addAll(later);
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
