package org.understudy.replication.core.time;

/**
 * A reading of both clocks of a group, in nanoseconds.
 *
 * @param counted since 1970 when the group began, and from then on counted by the monotonic clock of whoever leads: it never jumps
 * @param wall since 1970, by the wall clocks of a majority
 */
public record GroupTime(long counted, long wall) {
  /** In place of a clock that the sender does not know. */
  public static final long UNKNOWN = 0;

  /** Of a replica that knows neither. */
  public static final GroupTime NONE = new GroupTime(UNKNOWN, UNKNOWN);
}
