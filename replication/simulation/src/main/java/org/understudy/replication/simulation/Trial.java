package org.understudy.replication.simulation;

import java.util.List;
import java.util.Map;
import org.understudy.replication.simulation.checker.History;

/** One history, made of a seed; run once, by one thread. */
public interface Trial {
  /** Runs to the end and returns what was violated; empty when all is well. */
  List<String> run();

  /** What happened; complete after {@link #run}. */
  History history();

  /** How many faults of each kind there were. */
  Map<Faults.Kind, Integer> faultCounts();

  /** How often other things happened that a history needs to be worth something. */
  default Map<String, Long> counts() {
    return Map.of();
  }
}
