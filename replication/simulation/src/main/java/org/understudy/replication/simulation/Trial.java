package org.understudy.replication.simulation;

import java.util.List;
import java.util.Map;
import org.understudy.replication.simulation.checker.History;

/** One history, generated from a seed; run once, by one thread. */
public interface Trial {
  /** Runs to the end and returns the violations; empty for none. */
  List<String> run();

  /** The recorded history; complete after {@link #run}. */
  History history();

  /** The number of faults of each kind. */
  Map<Faults.Kind, Integer> faultCounts();

  /** The number of other events that a useful history needs. */
  default Map<String, Long> counts() {
    return Map.of();
  }
}
