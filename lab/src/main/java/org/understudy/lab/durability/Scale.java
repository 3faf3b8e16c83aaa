package org.understudy.lab.durability;

import java.util.List;

/**
 * The number of measurements.
 *
 * @param warmUp jobs of each client and set-up that are not counted
 * @param repetitions of everything that is measured
 * @param intervals the longest pauses of a client between two rounds, in seconds of the thesis
 * @param rounds of each client, set-up and interval
 * @param clients of the throughput
 * @param millis of each point of the throughput, in each repetition
 */
record Scale(int warmUp, int repetitions, List<Integer> intervals, int rounds, List<Integer> clients, int millis) {
  /** The clients and rounds of the thesis, which does not give its intervals in numbers. */
  static final Scale FULL = new Scale(1_500, 2, List.of(1, 2, 4, 8, 16), 30, List.of(1, 2, 4, 8, 12, 16), 1_000);

  /** Enough to notice errors. */
  static final Scale QUICK = new Scale(10, 1, List.of(1, 8), 5, List.of(1, 4), 200);

  /** Whether clients and replicas are compiled before anything is counted. */
  boolean isWarm() {
    return warmUp >= FULL.warmUp;
  }
}
