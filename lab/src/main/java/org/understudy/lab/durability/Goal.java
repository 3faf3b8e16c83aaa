package org.understudy.lab.durability;

import java.util.List;

/**
 * A limit that the project has set itself.
 *
 * @param name of what is compared, without commas
 * @param limit the highest ratio
 * @param median of the medians: this one is judged, since single slow requests are the machine's
 * @param mean of the means
 * @param warm whether the JVMs were warm; else the goal is not judged
 */
record Goal(String name, double limit, double median, double mean, boolean warm) {
  static List<Goal> of(Counting counting) {
    return List.of(
        goal("round trip of one client: counter PB with one backup / original", 1.25, CounterSetup.PB, counting),
        goal("round trip of one client: counter PB with two backups / original", 1.4, CounterSetup.PB_TWO_BACKUPS, counting));
  }

  private static Goal goal(String name, double limit, CounterSetup setup, Counting counting) {
    return new Goal(name, limit, counting.medianRatio(setup), counting.meanRatio(setup), counting.isWarm());
  }

  /** Whether it is met, for a reader. */
  String verdict() {
    if (!warm) {
      return "not judged with cold JVMs";
    }
    return median <= limit ? "met" : "missed";
  }
}
