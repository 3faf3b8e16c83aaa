package org.understudy.lab.torture.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.understudy.lab.torture.history.Level;
import org.understudy.lab.torture.history.Operation;
import org.understudy.lab.torture.history.Outcome;

/** The checker beside a naive one that tries all orders, on many small histories. */
class BruteForceTest {
  private static final int HISTORIES = 20_000;

  @Test
  void bothDecideAlike() {
    Random random = new Random(12);
    int accepted = 0;
    for (int i = 0; i < HISTORIES; i++) {
      List<Operation> history = history(random);
      boolean naive = linearizable(history, new ArrayList<>(history), 0, List.of());
      List<Violation> violations = LinearizabilityChecker.check(history, List.of());
      assertEquals(naive, violations.isEmpty(), () -> history + " " + violations);
      accepted += naive ? 1 : 0;
    }
    int count = accepted;
    assertTrue(count > HISTORIES / 20 && count < HISTORIES * 19 / 20, () -> count + " histories were accepted: too few of one kind");
  }

  /** Operations with times and values that fit each other often, and often do not. */
  private static List<Operation> history(Random random) {
    List<Operation> history = new ArrayList<>();
    int value = 0;
    int count = 2 + random.nextInt(5);
    for (int i = 0; i < count; i++) {
      Level level = Level.values()[random.nextInt(4)];
      long from = 2L * i + random.nextInt(4);
      long to = from + 1 + random.nextInt(5);
      int amount = level == Level.UPDATE ? 1 + random.nextInt(3) : 0;
      Outcome outcome = level == Level.UPDATE && random.nextInt(4) == 0 ? Outcome.UNKNOWN : Outcome.OK;
      value += amount;
      int shown = random.nextInt(8) == 0 ? Math.max(0, value + random.nextInt(4) - 2) : value;
      history.add(new Operation("c", level, 0, amount, outcome == Outcome.OK ? shown : 0, from, to, outcome, 0));
      value = outcome == Outcome.UNKNOWN && random.nextBoolean() ? value - amount : value;
    }
    return history;
  }

  /**
   * Whether some order of the operations that are left explains them.
   *
   * @param had the values that the counter has had, with the earliest time of each
   */
  private static boolean linearizable(List<Operation> history, List<Operation> left, int value, List<long[]> had) {
    List<long[]> seen = new ArrayList<>(had);
    long time = had.isEmpty() ? 0 : had.get(had.size() - 1)[1];
    if (had.isEmpty()) {
      seen.add(new long[] {0, 0});
    }
    if (left.stream().allMatch(operation -> operation.outcome() == Outcome.UNKNOWN || stale(operation))) {
      // What is left may never happen; unless a stale read shows it.
      if (left.stream().filter(BruteForceTest::stale).allMatch(read -> shown(read, seen))) {
        return true;
      }
    }
    for (Operation next : left) {
      if (stale(next)) {
        continue;
      }
      boolean unknown = next.outcome() == Outcome.UNKNOWN;
      long point = Math.max(time, next.invoked());
      int after = value + next.amount();
      if (unknown || point <= next.returned() && after == next.value()) {
        List<Operation> rest = new ArrayList<>(left);
        rest.remove(next);
        List<long[]> then = new ArrayList<>(seen);
        then.add(new long[] {after, point});
        if (linearizable(history, rest, after, then)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean stale(Operation operation) {
    return operation.level() == Level.SESSION || operation.level() == Level.LOCAL;
  }

  private static boolean shown(Operation read, List<long[]> had) {
    return had.stream().anyMatch(state -> state[0] == read.value() && state[1] <= read.returned());
  }
}
