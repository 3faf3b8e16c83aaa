package org.understudy.replication.core.detection;

/**
 * How long ago the primary of a backup sent the last heartbeat that arrived. A connection delivers old heartbeats when a pause or a cut
 * ends: those arrive later than the fastest one by what they have waited. The two monotonic clocks have nothing else in common, so what
 * every heartbeat needs at least counts as nothing.
 *
 * <p>Times are nanoseconds.
 */
final class PrimaryContact {
  /** One part of the time by which the two clocks may drift from each other. */
  private static final int DRIFT = 1_000;

  private boolean measured;
  /** The least that this replica's clock was ahead of the sender's when a heartbeat arrived, and when that was so. */
  private long fastest;
  private long fastestAt;
  /** On this replica's clock. */
  private long sentAt;

  /** Begins anew with a view, whose proposal counts as a heartbeat. */
  void accepted(long now) {
    measured = false;
    sentAt = now;
  }

  /** @param sent on the primary's clock */
  void heard(long sent, long now) {
    long ahead = now - sent;
    fastest = measured ? Math.min(fastest + (now - fastestAt) / DRIFT, ahead) : ahead;
    fastestAt = now;
    measured = true;
    sentAt = Math.max(sentAt, sent + fastest);
  }

  /** When the primary sent its last heartbeat, on this replica's clock; too late by what its fastest one needed. */
  long sentAt() {
    return sentAt;
  }
}
