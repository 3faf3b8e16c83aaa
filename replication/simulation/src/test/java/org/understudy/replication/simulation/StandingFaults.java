package org.understudy.replication.simulation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Scenarios, by name, in which one fault lasts and every update is answered nevertheless within a bound. */
final class StandingFaults {
  private StandingFaults() {}

  static Map<String, List<String>> scenarios() {
    Map<String, List<String>> scenarios = new LinkedHashMap<>();
    for (int size : new int[] {3, 5}) {
      for (String fault : faults()) {
        scenarios.put(size + " replicas, " + fault, scenario(size, fault));
      }
    }
    return scenarios;
  }

  private static List<String> faults() {
    List<String> faults = new ArrayList<>();
    for (int from = 1; from <= 3; from++) {
      for (int to = 1; to <= 3; to++) {
        if (from != to) {
          faults.add("replica " + to + " hears nothing from replica " + from);
        }
      }
      faults.add("replica " + from + " hears no replica");
      faults.add("no replica hears replica " + from);
      faults.add("replica " + from + " is cut off from the other replicas");
      faults.add("replica " + from + " pauses");
      faults.add("replica " + from + " acknowledges no updates");
      faults.add("replica " + from + " acknowledges neither updates nor views");
      faults.add("the monotonic clock of replica " + from + " stops");
      faults.add("the wall clock of replica " + from + " stops");
      faults.add("messages of replica " + from + " take 60 ms");
      faults.add("the disk of replica " + from + " hangs");
    }
    return faults;
  }

  private static List<String> scenario(int size, String fault) {
    return List.of(
        "replicas " + size + (fault.startsWith("the disk") ? " journals" : ""),
        "client A adds 1 and is told 1",
        fault,
        "client A adds 1 and is told 2 within 4000 ms",
        "client A adds 1 and is told 3 within 4000 ms",
        "3000 ms pass",
        "client A adds 1 and is told 4 within 2000 ms",
        "client A reads linearizable and is told 4 within 2000 ms",
        "all links are healed");
  }
}
