package org.understudy.lab.notify;

import java.util.List;

/**
 * How much is measured.
 *
 * @param warmUp updates with one subscriber in each group before anything counts
 * @param notifications of each number of subscribers, about: the fewer the subscribers, the more updates
 * @param fewest updates of each number of subscribers
 * @param most updates of each number of subscribers
 * @param failovers with one and with the most subscribers
 * @param subscribers of one counter
 */
record Scale(int warmUp, int notifications, int fewest, int most, int failovers, List<Integer> subscribers) {
  static final Scale FULL = new Scale(3_000, 300_000, 30, 200, 5, List.of(1, 100, 1_000, 10_000));

  /** Enough to see whether something is amiss. */
  static final Scale QUICK = new Scale(300, 2_000, 5, 30, 1, List.of(1, 100));

  /** Updates that are counted. */
  int updates(int count) {
    return Math.max(fewest, Math.min(most, notifications / count));
  }

  Scale withSubscribers(List<Integer> counts) {
    return new Scale(warmUp, notifications, fewest, most, failovers, counts);
  }

  Scale withUpdates(int number) {
    return new Scale(warmUp, notifications, number, number, failovers, subscribers);
  }

  Scale withWarmUp(int updates) {
    return new Scale(updates, notifications, fewest, most, failovers, subscribers);
  }

  Scale withFailovers(int number) {
    return new Scale(warmUp, notifications, fewest, most, number, subscribers);
  }
}
