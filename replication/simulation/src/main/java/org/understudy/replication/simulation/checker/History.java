package org.understudy.replication.simulation.checker;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.understudy.replication.api.ReadLevel;

/** The operations of clients, the primary of each epoch, and the violations that checkers found. */
public final class History {
  private final List<Operation> operations = new ArrayList<>();
  private final Map<Long, Integer> primaries = new TreeMap<>();
  private final List<String> violations = new ArrayList<>();

  /** @param level null for an update */
  public Operation invoked(String client, Action action, String resource, ReadLevel level, long amount, long now) {
    Operation operation = new Operation(operations.size(), client, action, resource, level, amount, now);
    operations.add(operation);
    return operation;
  }

  public void primary(int replica, long epoch) {
    Integer other = primaries.putIfAbsent(epoch, replica);
    if (other != null && other != replica) {
      violation("one primary an epoch", "replicas " + other + " and " + replica + " both led epoch " + epoch);
    }
  }

  public List<Operation> operations() {
    return operations;
  }

  /** How many views had a primary. */
  public int epochs() {
    return primaries.size();
  }

  public void violation(String checker, String what) {
    violations.add(checker + ": " + what);
  }

  public List<String> violations() {
    return violations;
  }
}
