package org.understudy.lab.notify;

import java.util.Arrays;

/**
 * Records notifications: when each consumer had the expected value, and whether any missed one. Consumers are numbered, and
 * one in a hundred never answers. Thread-safe.
 */
final class Arrivals {
  private static final int STALLED_ONE_IN = 100;

  private int first;
  private long[] times = {};
  private int[] latest = {};
  private int missing;
  private int expected;
  private long gaps;
  private long repeats;
  private long strays;

  /** Whether the consumer with this index in its group, from 0, never answers. */
  static boolean isStalled(int place) {
    return place % STALLED_ONE_IN == STALLED_ONE_IN - 1;
  }

  static int healthy(int consumers) {
    return consumers - consumers / STALLED_ONE_IN;
  }

  /** Replaces the consumers by new ones without notifications; notifications for earlier ones are ignored. */
  synchronized void open(int firstConsumer, int count) {
    first = firstConsumer;
    times = new long[count];
    latest = new int[count];
    missing = 0;
    gaps = 0;
    repeats = 0;
    strays = 0;
  }

  /** Clears the arrival times, and waits for this value. */
  synchronized void expect(int value) {
    expected = value;
    Arrays.fill(times, 0);
    missing = healthy(times.length);
  }

  /**
   * Called when a consumer has a notification.
   *
   * @param nanos when, of {@link System#nanoTime()}
   * @return whether it answers
   */
  synchronized boolean came(int consumer, int value, long nanos) {
    int place = consumer - first;
    if (place < 0) {
      // A late notification of an earlier group.
      return true;
    }
    if (place >= times.length) {
      strays++;
      return true;
    }
    if (isStalled(place)) {
      return false;
    }
    if (value <= latest[place]) {
      repeats++;
    } else {
      // A counter is increased by 1 each time: a greater step means a message that was lost or overtaken.
      gaps += value - latest[place] - 1;
      latest[place] = value;
    }
    if (value == expected && times[place] == 0) {
      times[place] = nanos;
      if (--missing == 0) {
        notifyAll();
      }
    }
    return true;
  }

  /** Called for a message without a value. */
  synchronized void unreadable() {
    strays++;
  }

  /**
   * Waits until every healthy consumer has the expected value, or the time is up; returns when each had it, 0 for those
   * that have not.
   */
  synchronized long[] await(long millis) throws InterruptedException {
    long end = System.nanoTime() + millis * 1_000_000;
    for (long left = millis; missing > 0 && left > 0; left = (end - System.nanoTime()) / 1_000_000) {
      wait(left);
    }
    long[] came = new long[healthy(times.length)];
    int healthy = 0;
    for (int place = 0; place < times.length; place++) {
      if (!isStalled(place)) {
        came[healthy++] = times[place];
      }
    }
    return came;
  }

  /** Values that a healthy consumer did not get before a later one. */
  synchronized long gaps() {
    return gaps;
  }

  /** Values that a healthy consumer had already. */
  synchronized long repeats() {
    return repeats;
  }

  /** Messages for unknown consumers, or without a value. */
  synchronized long strays() {
    return strays;
  }
}
