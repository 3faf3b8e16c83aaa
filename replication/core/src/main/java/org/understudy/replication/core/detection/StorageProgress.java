package org.understudy.replication.core.detection;

import org.understudy.replication.core.ReplicaSetup;

/**
 * The progress of this replica's own disk: records that wait, and when the disk last reported some as durable. Times are nanoseconds of
 * this replica's monotonic clock. A replica that is alone in its group has nobody to give way to: its disk never counts as late.
 */
final class StorageProgress {
  private final boolean watched;
  private final long suspectNanos;
  private long stored;
  private boolean waiting;
  /** The last progress, or when records began to wait after it. */
  private long since;
  /** Restarts by late ticks since the last progress. */
  private int restarts;

  StorageProgress(ReplicaSetup setup) {
    this.watched = setup.configured().size() > 1;
    this.suspectNanos = setup.timing().suspectNanos();
  }

  /** @param requested the token of the last record that was requested */
  void observe(long requested, long now) {
    boolean waits = watched && requested > stored;
    if (waits && !waiting) {
      since = now;
      restarts = 0;
    }
    waiting = waits;
  }

  /** @param token of the last record that is durable */
  void stored(long token, long now) {
    stored = Math.max(stored, token);
    since = now;
    restarts = 0;
  }

  int restarts() {
    return restarts;
  }

  /** This replica was late: the disk may have reported meanwhile. */
  void restart(long now) {
    restarts++;
    since = now;
  }

  /** How long records have waited without progress; 0 when none wait. */
  long waitedNanos(long now) {
    return waiting ? now - since : 0;
  }

  boolean isStuck(long now) {
    return waitedNanos(now) > suspectNanos;
  }

  /** Earlier than {@link #isStuck}, because disks that hang together do not begin in the same moment. */
  boolean isLate(long now) {
    return waitedNanos(now) > suspectNanos / 2;
  }
}
