package org.understudy.lab.durability;

import java.util.List;

/**
 * The number of measurements.
 *
 * @param warmUp requests of each client and set-up that are not counted
 * @param repetitions of everything that is measured
 * @param clients of the counter's throughput
 * @param millis of each point of the throughput, in each repetition
 * @param pairs of fresh servers whose round trips are measured, for each set-up of the counter
 * @param pairWarmUp requests of one client to each of both that are not counted
 * @param requests of one client to each of both
 * @param intervals the longest pauses of a client between two rounds, in seconds of the thesis
 * @param rounds of each client, set-up and interval
 * @param sizes objects of a state that is recovered
 * @param failures of each mechanism and size
 */
record Scale(
    int warmUp, int repetitions, List<Integer> clients, int millis, int pairs, int pairWarmUp, int requests, List<Integer> intervals,
    int rounds, List<Integer> sizes, int failures) {
  /** The clients and rounds of the thesis, which does not give its intervals in numbers. */
  static final Scale FULL = new Scale(
      1_500, 2, List.of(1, 2, 4, 8, 12, 16), 1_000, 3, 25_000, 3_000, List.of(1, 2, 4, 8, 16), 30, List.of(0, 1_000, 10_000, 100_000),
      3);

  /** Enough to notice errors. */
  static final Scale QUICK = new Scale(10, 1, List.of(1, 4), 200, 1, 50, 50, List.of(1, 8), 5, List.of(0, 1_000), 1);

  /** Whether clients and replicas are compiled before anything is counted. */
  boolean isWarm() {
    return warmUp >= FULL.warmUp;
  }

  /** The same before round trips are counted. */
  boolean arePairsWarm() {
    return pairWarmUp >= FULL.pairWarmUp;
  }
}
