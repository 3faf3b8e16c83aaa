package org.understudy.lab.durability;

import java.util.List;

/**
 * A limit that the project has set itself.
 *
 * @param name of what is compared, without commas
 * @param limit the highest ratio
 * @param median of the ratios of medians: this one is judged, since single slow requests are the machine's
 * @param mean the median of the ratios of means
 * @param warm whether the JVMs were warm; else the goal is not judged
 */
record Goal(String name, double limit, double median, double mean, boolean warm) {
  static List<Goal> of(RoundTrips roundTrips) {
    return List.of(
        goal("round trip of one client: counter PB with one backup / original", 1.25, CounterSetup.PB, roundTrips),
        goal("round trip of one client: counter PB with two backups / original", 1.4, CounterSetup.PB_TWO_BACKUPS, roundTrips));
  }

  private static Goal goal(String name, double limit, CounterSetup setup, RoundTrips roundTrips) {
    return new Goal(name, limit, roundTrips.medianRatios(setup).median(), roundTrips.meanRatios(setup).median(),
        roundTrips.isWarm());
  }

  /** Whether it is met, for a reader. */
  String verdict() {
    if (!warm) {
      return "not judged with cold JVMs";
    }
    return median <= limit ? "met" : "missed";
  }
}
