package org.understudy.session;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * One lock for each session that is in use at this replica. A lock is not bound to a thread: another thread may release it. Clients
 * cannot fill the map with invented ids, because an unused lock is removed.
 */
final class SessionLocks {
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
   * @return false when another request has held it for the whole time
   */
  boolean take(String session, long timeoutNanos) throws InterruptedException {
    Lock lock =
        locks.compute(
            session,
            (id, before) -> {
              Lock used = before == null ? new Lock() : before;
              used.users++;
              return used;
            });
    boolean taken = false;
    try {
      taken = lock.permit.tryAcquire(timeoutNanos, TimeUnit.NANOSECONDS);
    } finally {
      if (!taken) {
        leave(session);
      }
    }
    return taken;
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

  int size() {
    return locks.size();
  }
}
