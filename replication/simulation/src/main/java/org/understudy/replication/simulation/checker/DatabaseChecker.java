package org.understudy.replication.simulation.checker;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.understudy.replication.api.ReadLevel;

/**
 * Checks operations on a resource that is in a database as a whole: each is executed once, in the order of the commits, and what has
 * returned is visible to all that is invoked afterwards.
 */
public final class DatabaseChecker {
  /**
   * A committed transaction.
   *
   * @param writer the number of the execution
   * @param operation the number of the operation that was executed
   * @param value of the resource after it
   */
  public record Commit(String resource, long writer, int operation, long value) {}

  /** An operation with the number of commits that its answer shows. */
  private record Seen(Operation operation, int commits) {}

  private final History history;

  public DatabaseChecker(History history) {
    this.history = history;
  }

  /** @param commits of all resources, in their order */
  public void check(String resource, List<Commit> commits) {
    List<Commit> all = commits.stream().filter(one -> one.resource().equals(resource)).toList();
    Map<Integer, Integer> byOperation = new HashMap<>();
    Map<Long, Integer> byWriter = new HashMap<>(Map.of(0L, 0));
    for (int i = 0; i < all.size(); i++) {
      Operation operation = history.operations().get(all.get(i).operation());
      if (byOperation.put(operation.number(), i + 1) != null) {
        history.violation("exactly once", operation + " was committed more than once");
      }
      if (operation.end() == Operation.End.REFUSED) {
        history.violation("not executed", operation + " was refused and yet committed");
      }
      byWriter.put(all.get(i).writer(), i + 1);
    }
    List<Seen> seen = new ArrayList<>();
    for (Operation operation : history.operations()) {
      if (operation.resource().equals(resource) && operation.end() == Operation.End.RETURNED) {
        seen(operation, all, byOperation, byWriter, seen);
      }
    }
    linear(seen);
  }

  private void seen(
      Operation operation, List<Commit> all, Map<Integer, Integer> byOperation, Map<Long, Integer> byWriter, List<Seen> seen) {
    Observation observation = operation.observation();
    Integer commits = operation.update() ? byOperation.get(operation.number()) : byWriter.get(observation.writer());
    if (commits == null) {
      history.violation(operation.update() ? "durability" : "committed reads", operation + " shows what is not in the database");
      return;
    }
    long value = commits == 0 ? 0 : all.get(commits - 1).value();
    if (observation.value() != value) {
      history.violation("linearizability", operation + " shows another value than " + value);
    }
    if (operation.update() || operation.level() == ReadLevel.LINEARIZABLE) {
      seen.add(new Seen(operation, commits));
    }
  }

  /** What returned before another operation was invoked shows no more commits than that. */
  private void linear(List<Seen> seen) {
    List<Seen> returned = new ArrayList<>(seen);
    returned.sort(Comparator.comparingLong(one -> one.operation().returnedAt()));
    List<Seen> invoked = new ArrayList<>(seen);
    invoked.sort(Comparator.comparingLong(one -> one.operation().invokedAt()));
    Seen newest = null;
    int next = 0;
    for (Seen one : invoked) {
      while (next < returned.size() && returned.get(next).operation().returnedAt() < one.operation().invokedAt()) {
        Seen candidate = returned.get(next++);
        newest = newest == null || candidate.commits() > newest.commits() ? candidate : newest;
      }
      if (newest != null && newest.commits() > one.commits() - (one.operation().update() ? 1 : 0)) {
        history.violation("linearizability", newest.operation() + " had returned before " + one.operation());
        return;
      }
    }
  }
}
