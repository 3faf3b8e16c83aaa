package org.understudy.lab.compare;

import java.util.List;

/**
 * The number of measurements.
 *
 * @param warmUp calls of each mode and size that are not counted
 * @param calls calls of each mode and size
 * @param batch consecutive calls of one mode and size
 * @param polls rounds of held polls, of the largest number of clients, before failovers are measured
 * @param failovers of each mode and number of clients
 * @param clients that wait for a failover
 */
record Scale(int warmUp, int calls, int batch, int polls, int failovers, List<Integer> clients) {
  /** A CXF client needs some 25,000 calls until it is compiled; the replicas of each mode need theirs. */
  static final Scale FULL = new Scale(5_000, 3_000, 50, 3, 5, List.of(1, 2, 4, 8, 16, 100, 1_000));

  /** Under a minute: enough to notice errors. */
  static final Scale QUICK = new Scale(75, 100, 25, 0, 1, List.of(1, 16, 1_000));

  /** Whether clients and replicas are compiled before anything is counted. */
  boolean warm() {
    return warmUp >= FULL.warmUp;
  }
}
