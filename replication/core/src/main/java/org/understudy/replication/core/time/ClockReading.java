package org.understudy.replication.core.time;

/**
 * By how many nanoseconds the clocks of the group are ahead of this replica's monotonic clock.
 *
 * @param counted the clock that never jumps
 * @param wall the wall clock of a majority
 */
public record ClockReading(long counted, long wall) {
  /** The wall clock of a replica counts while it differs by no more from that of the majority. */
  public static final long AGREEMENT_NANOS = 1_000_000_000L;
}
