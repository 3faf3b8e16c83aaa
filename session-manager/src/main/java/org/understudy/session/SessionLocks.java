package org.understudy.session;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * One lock for each session that is in use at this replica. A lock is not bound to a thread: another thread may release it. Clients
 * cannot fill the map with invented ids, because an unused lock is removed.
 */
final class SessionLocks {
  /** Requests that wait for one session. Each occupies a thread of Tomcat, and other sessions need threads too. */
  static final int MAX_WAITING = 32;

  private final ConcurrentHashMap<String, Lock> locks = new ConcurrentHashMap<>();

  /** A lock that is held or waited for. */
  static final class Lock {
    private final Semaphore permit = new Semaphore(1, true);
    /** The transactions that hold it or wait; changed within the map's computations. */
    private int users;
  }

  /**
   * Takes the lock of a session.
   *
   * @return null when it is taken; otherwise the reason, as a sentence: another request has held it for the whole time, or
   *     too many requests wait already
   */
  String take(String session, Duration timeout) throws InterruptedException {
    Lock lock = enter(session);
    if (lock == null) {
      return MAX_WAITING + " requests of the session wait for another one.";
    }
    boolean taken = false;
    try {
      taken = lock.permit.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } finally {
      if (!taken) {
        leave(session);
      }
    }
    return taken ? null : "Another request of the session has not ended for " + timeout.toSeconds() + " s.";
  }

  /** Takes the lock of a session unless it is used. Does not wait. */
  boolean takeUnused(String session) {
    Lock own = new Lock();
    own.users = 1;
    own.permit.acquireUninterruptibly();
    return locks.putIfAbsent(session, own) == null;
  }

  /** Returns null when too many wait. */
  private Lock enter(String session) {
    Lock[] entered = new Lock[1];
    locks.compute(
        session,
        (id, before) -> {
          Lock used = before == null ? new Lock() : before;
          if (used.users <= MAX_WAITING) {
            used.users++;
            entered[0] = used;
          }
          return used;
        });
    return entered[0];
  }

  /** Releases the lock of a session. Called by any thread. */
  void release(String session) {
    locks.get(session).permit.release();
    leave(session);
  }

  private void leave(String session) {
    locks.computeIfPresent(session, (id, lock) -> --lock.users == 0 ? null : lock);
  }

  /** Whether a request holds the lock or waits for it. */
  boolean isUsed(String session) {
    return locks.containsKey(session);
  }

  /** The requests that hold the lock of a session or wait for it. */
  int users(String session) {
    int[] users = new int[1];
    locks.computeIfPresent(session, (id, lock) -> {
      users[0] = lock.users;
      return lock;
    });
    return users[0];
  }

  int size() {
    return locks.size();
  }
}
