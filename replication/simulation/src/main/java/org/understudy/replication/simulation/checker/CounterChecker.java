package org.understudy.replication.simulation.checker;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.understudy.replication.api.ReadLevel;

/**
 * Checks each counter's history against its final value. All amounts are above zero, so the values that updates returned
 * are their order: exactly-once, durability and linearizability follow from sums and from real time.
 */
public final class CounterChecker {
  private final History history;

  public CounterChecker(History history) {
    this.history = history;
  }

  /** @param counters the final values */
  public void check(Map<String, Long> counters) {
    Map<String, List<History.Operation>> byResource = new TreeMap<>();
    for (History.Operation operation : history.operations()) {
      byResource.computeIfAbsent(operation.resource(), r -> new ArrayList<>()).add(operation);
    }
    byResource.forEach((resource, operations) -> {
      long last = counters.getOrDefault(resource, 0L);
      if (resource.startsWith("nameless")) {
        nameless(resource, operations, last);
      } else {
        sums(resource, operations, last);
        realTime(operations);
        sessions(operations);
      }
    });
  }

  /** Each add of such a client is a bit of its own: the final value tells exactly which took effect. */
  private void nameless(String resource, List<History.Operation> operations, long last) {
    long possible = 0;
    for (History.Operation operation : operations) {
      boolean there = (last & operation.amount()) != 0;
      possible |= operation.amount();
      if (operation.end() == History.End.RETURNED && !there) {
        history.violation("durability", operation + " was acknowledged and is lost: " + resource + " is " + last);
      }
      if (operation.end() == History.End.REFUSED && there) {
        history.violation("not executed", operation + " was refused and yet took effect");
      }
    }
    if ((last & ~possible) != 0) {
      history.violation("exactly once", resource + " is " + last + ", which its adds cannot sum up to");
    }
  }

  private void sums(String resource, List<History.Operation> operations, long last) {
    List<History.Operation> updates = returned(operations, true);
    updates.sort(Comparator.comparingLong(History.Operation::value));
    long sum = 0;
    for (History.Operation update : updates) {
      sum += update.amount();
      if (update.value() != sum) {
        history.violation("exactly once", update + " should have returned " + sum);
        return;
      }
    }
    if (sum != last) {
      history.violation(
          sum > last ? "durability" : "exactly once", resource + " is " + last + " after adds of " + sum);
    }
    for (History.Operation read : returned(operations, false)) {
      boolean known = read.value() == 0 || updates.stream().anyMatch(update -> update.value() == read.value());
      if (!known) {
        history.violation("stable reads", read + " shows what never was");
      }
    }
  }

  private static List<History.Operation> returned(List<History.Operation> operations, boolean updates) {
    List<History.Operation> returned = new ArrayList<>();
    for (History.Operation operation : operations) {
      if (operation.end() == History.End.RETURNED && operation.update() == updates) {
        returned.add(operation);
      }
    }
    return returned;
  }

  /** Updates and linearizable reads: who returned before another began shows no more than that one. */
  private void realTime(List<History.Operation> operations) {
    List<History.Operation> strict = new ArrayList<>(returned(operations, true));
    for (History.Operation read : returned(operations, false)) {
      if (read.level() == ReadLevel.LINEARIZABLE) {
        strict.add(read);
      }
    }
    for (History.Operation before : strict) {
      for (History.Operation after : strict) {
        boolean precedes = before.returnedAt() < after.invokedAt();
        boolean wrong = after.update() ? before.value() >= after.value() : before.value() > after.value();
        if (precedes && wrong) {
          history.violation("linearizability", before + " had returned before " + after);
          return;
        }
      }
    }
  }

  /** A client's session reads never fall behind what it has seen. */
  private void sessions(List<History.Operation> operations) {
    for (History.Operation read : returned(operations, false)) {
      if (read.level() != ReadLevel.SESSION) {
        continue;
      }
      for (History.Operation seen : operations) {
        if (seen.client() == read.client()
            && seen.end() == History.End.RETURNED
            && seen.returnedAt() < read.invokedAt()
            && seen.value() > read.value()) {
          history.violation("session reads", read + " is older than " + seen);
          return;
        }
      }
    }
  }
}
