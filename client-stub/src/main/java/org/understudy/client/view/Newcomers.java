package org.understudy.client.view;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The servers that joined the view lately and have not answered this client since, by number. Their JVMs may be cold. Times are in
 * nanoseconds from any origin. Not thread-safe.
 */
final class Newcomers {
  /** The time after which a client tries a server that joined, at least. */
  static final long MIN_DELAY_NANOS = TimeUnit.SECONDS.toNanos(2);
  /** The same, at most. */
  static final long MAX_DELAY_NANOS = TimeUnit.SECONDS.toNanos(30);
  /** Between the trials of a client. */
  static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(5);
  /** After so long a client tries no longer, and treats the server like any other one. */
  static final long TRIALS_NANOS = TimeUnit.SECONDS.toNanos(30);

  /**
   * When a newcomer is tried.
   *
   * @param trial the time of the next trial
   * @param end the end of the trials
   */
  private record Schedule(long trial, long end) {}

  private final Map<Integer, Schedule> schedules = new HashMap<>();

  /** @param delay until the first trial */
  void add(int server, long now, long delay) {
    schedules.put(server, new Schedule(now + delay, now + delay + TRIALS_NANOS));
  }

  boolean contains(int server) {
    return schedules.containsKey(server);
  }

  void remove(int server) {
    schedules.remove(server);
  }

  void retain(Set<Integer> servers) {
    schedules.keySet().retainAll(servers);
  }

  /** Removes those whose trials have ended. */
  void expire(long now) {
    schedules.values().removeIf(schedule -> now - schedule.end >= 0);
  }

  /** Returns whether the caller is to try the server now; if so, the next trial is postponed. */
  boolean claimTrial(int server, long now) {
    Schedule schedule = schedules.get(server);
    if (schedule == null || now - schedule.trial < 0) {
      return false;
    }
    schedules.put(server, new Schedule(now + RETRY_NANOS, schedule.end));
    return true;
  }

  /** The time of the next trial of a newcomer. */
  long trial(int server) {
    return schedules.get(server).trial;
  }

  /** When the first of them ceases to be one; null without newcomers. */
  Long end(long now) {
    return schedules.values().stream().map(Schedule::end).min(Comparator.comparingLong(end -> end - now)).orElse(null);
  }
}
