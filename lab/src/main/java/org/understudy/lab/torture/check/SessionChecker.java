package org.understudy.lab.torture.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.understudy.lab.torture.history.Level;
import org.understudy.lab.torture.history.Operation;

/**
 * Session reads never go back: each shows at least what its client has seen of that counter before, in any answer. Counters only
 * grow, so a smaller value is an older one.
 */
public final class SessionChecker {
  private SessionChecker() {}

  /** @param operations in the order in which they ended; those of one client do not overlap, but for commits that were answered late */
  public static List<Violation> check(List<Operation> operations) {
    List<Violation> violations = new ArrayList<>();
    Map<String, Map<Integer, Operation>> newest = new HashMap<>();
    for (Operation operation : operations) {
      if (!operation.ok()) {
        continue;
      }
      Map<Integer, Operation> seen = newest.computeIfAbsent(operation.client(), client -> new HashMap<>());
      Operation before = seen.get(operation.resource());
      if (operation.level() == Level.SESSION && before != null && operation.value() < before.value()) {
        violations.add(new Violation("session", operation.describe() + " shows less than " + before.describe() + " has shown."));
      }
      if (before == null || operation.value() > before.value()) {
        seen.put(operation.resource(), operation);
      }
    }
    return violations;
  }
}
