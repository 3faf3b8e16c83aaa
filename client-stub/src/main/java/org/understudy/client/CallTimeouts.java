package org.understudy.client;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The timeouts of a call by CXF's settings, in place of those of the group.
 *
 * @param connect for one connection; null for the group's
 * @param receive for the answer; null for the group's
 * @param isLong whether the caller waits for an answer longer than the group's deadline
 */
record CallTimeouts(Duration connect, Duration receive, boolean isLong) {
  static final CallTimeouts OF_THE_GROUP = new CallTimeouts(null, null, false);
  /** Instead of none at all. */
  private static final long MAX_MILLIS = TimeUnit.HOURS.toMillis(24);

  /**
   * @param connectMillis 0 for no limit, null for the group's
   * @param receiveMillis 0 for no limit, null for the group's
   */
  static CallTimeouts of(Long connectMillis, Long receiveMillis, Duration deadline) {
    if (connectMillis == null && receiveMillis == null) {
      return OF_THE_GROUP;
    }
    Duration connect = connectMillis == null ? null : limited(connectMillis, deadline.toMillis());
    Duration receive = receiveMillis == null ? null : limited(receiveMillis, MAX_MILLIS);
    return new CallTimeouts(connect, receive, receive != null && receive.compareTo(deadline) > 0);
  }

  private static Duration limited(long millis, long max) {
    return Duration.ofMillis(millis <= 0 ? max : Math.min(millis, max));
  }

  /** When the last attempt may begin, and a call that waits no longer ends. */
  long deadline(long now, long ofTheGroup) {
    return receive == null || isLong || ofTheGroup - now < receive.toNanos() ? ofTheGroup : now + receive.toNanos();
  }

  /** The wait of one attempt. One that began in time may exceed the deadline if the caller wants to wait so long. */
  Duration patience(Duration left, Duration usual) {
    if (receive != null) {
      return isLong ? receive : left;
    }
    return left.compareTo(usual) < 0 ? left : usual;
  }
}
