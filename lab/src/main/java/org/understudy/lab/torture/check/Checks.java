package org.understudy.lab.torture.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.understudy.lab.torture.history.History;
import org.understudy.lab.torture.history.Operation;

/** All checks of a history. */
public final class Checks {
  /** Longer than any lease for reads: one of the default heartbeats lasts 150 ms. */
  private static final long MAX_LEASE_NANOS = 1_000_000_000;

  private Checks() {}

  /** Returns what the history of a group whose log decides breaks; empty if it keeps all promises. */
  public static List<Violation> check(History.Recorded history) {
    return check(history, false);
  }

  /**
   * Returns what the history breaks; empty if it keeps all promises.
   *
   * @param databaseDecides whether the counters are in a database alone, which decides updates without the log
   */
  public static List<Violation> check(History.Recorded history, boolean databaseDecides) {
    Map<Integer, List<Operation>> counters = new TreeMap<>();
    history.operations().forEach(
        operation -> counters.computeIfAbsent(operation.resource(), resource -> new ArrayList<>()).add(operation));
    List<Violation> violations = new ArrayList<>();
    counters.values().forEach(operations -> violations.addAll(CounterChecker.check(operations)));
    violations.addAll(SessionChecker.check(history.operations()));
    violations.addAll(MinorityChecker.check(history.operations(), history.cuts(), MAX_LEASE_NANOS, databaseDecides));
    return violations;
  }
}
