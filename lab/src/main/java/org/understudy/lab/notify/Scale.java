package org.understudy.lab.notify;

import java.util.List;

/**
 * The number of measurements.
 *
 * @param warmUp updates with one subscriber in each group before anything counts
 * @param notifications approximate number for each number of subscribers: the fewer the subscribers, the more updates
 * @param fewest updates of each number of subscribers
 * @param max updates of each number of subscribers
 * @param failovers with one and with the most subscribers
 * @param subscribers of one counter
 */
record Scale(int warmUp, int notifications, int fewest, int max, int failovers, List<Integer> subscribers) {
  static final Scale FULL = new Scale(3_000, 300_000, 30, 200, 5, List.of(1, 100, 1_000, 10_000));

  /** Enough to notice errors. */
  static final Scale QUICK = new Scale(300, 2_000, 5, 30, 1, List.of(1, 100));

  /** Updates that are counted. */
  int updates(int count) {
    return Math.max(fewest, Math.min(max, notifications / count));
  }

  Scale withSubscribers(List<Integer> counts) {
    return new Scale(warmUp, notifications, fewest, max, failovers, counts);
  }

  Scale withUpdates(int number) {
    return new Scale(warmUp, notifications, number, number, failovers, subscribers);
  }

  Scale withWarmUp(int updates) {
    return new Scale(updates, notifications, fewest, max, failovers, subscribers);
  }

  Scale withFailovers(int number) {
    return new Scale(warmUp, notifications, fewest, max, number, subscribers);
  }
}
