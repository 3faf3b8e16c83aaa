package org.understudy.lab.group;

import java.util.List;

/**
 * The number of measurements.
 *
 * @param clients concurrent clients of the figures
 * @param millis of one point of a figure, in each round
 * @param rounds over all points
 * @param warmUpMillis for which each set-up is loaded before, for each of its replicas
 * @param pairs of fresh servers whose round trips are measured, for each group
 * @param calls round trips of each kind, replica and pair
 * @param warmUp round trips that are not counted before; after 5,000, the side with fewer calls is still slower
 * @param refusalClients concurrent clients that connect for each request. A Tomcat has 8,192 connections, so the last count exceeds them
 * @param refusalMillis for which these clients begin requests at each point
 */
record Scale(
    List<Integer> clients,
    int millis,
    int rounds,
    int warmUpMillis,
    int pairs,
    int calls,
    int warmUp,
    List<Integer> refusalClients,
    int refusalMillis) {
  static final Scale FULL =
      new Scale(List.of(1, 4, 16, 64, 120, 240), 2_000, 3, 20_000, 3, 1_500, 20_000, List.of(120, 240, 1_000, 4_000, 9_000), 10_000);
  /** Enough to notice errors; JVMs are cold. */
  static final Scale QUICK = new Scale(List.of(1, 16, 64), 500, 1, 2_000, 1, 100, 100, List.of(64, 512), 1_000);

  int mostClients() {
    return clients.stream().mapToInt(Integer::intValue).max().orElse(1);
  }
}
