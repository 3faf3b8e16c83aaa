package org.understudy.wsrf.resource;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** How a thread enters a resource: it waits until its visit is in, or for as long as it may. */
public final class ThreadEntry implements Runnable {
  private final Thread thread = Thread.currentThread();
  private volatile boolean granted;

  private ThreadEntry() {}

  @Override
  public void run() {
    granted = true;
    LockSupport.unpark(thread);
  }

  /** @return false when the time is up, or the thread is interrupted */
  private boolean await(long nanos) {
    long end = System.nanoTime() + nanos;
    for (long left = nanos; !granted; left = end - System.nanoTime()) {
      if (left <= 0 || thread.isInterrupted()) {
        return false;
      }
      LockSupport.parkNanos(this, left);
    }
    return true;
  }

  /**
   * Waits behind the operations before this one, unless a request has waited in vain already.
   *
   * @param id null when the request names no resource
   * @throws OccupiedResourceException when others have not ended theirs in time
   */
  static ResourceTransaction enter(Resources resources, String id, boolean read, long patienceNanos) {
    ThreadEntry entry = new ThreadEntry();
    ResourceTransaction visit = resources.visit(id, read);
    if (!visit.request(entry) && !entry.await(visit.mayWait() ? patienceNanos : 0) && visit.withdraw()) {
      if (entry.thread.isInterrupted()) {
        throw new OccupiedResourceException(
            "The wait for the resource " + id + " was interrupted; nothing was executed.");
      }
      throw visit.occupied(TimeUnit.NANOSECONDS.toMillis(patienceNanos));
    }
    return begun(visit);
  }

  /**
   * Enters to update; null when others occupy the resource for longer than this, or the thread is interrupted.
   *
   * @param id null for a visit to no resource
   */
  public static ResourceTransaction tryEnter(Resources resources, String id, long nanos) {
    ThreadEntry entry = new ThreadEntry();
    ResourceTransaction visit = resources.visit(id, false);
    return visit.request(entry) || entry.await(nanos) || !visit.withdraw() ? begun(visit) : null;
  }

  private static ResourceTransaction begun(ResourceTransaction visit) {
    boolean begun = false;
    try {
      visit.begin();
      begun = true;
      return visit;
    } finally {
      if (!begun) {
        visit.leave();
      }
    }
  }
}
