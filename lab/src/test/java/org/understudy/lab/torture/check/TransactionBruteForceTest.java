package org.understudy.lab.torture.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.understudy.lab.torture.history.ClientTransaction;
import org.understudy.lab.torture.history.ClientTransaction.Answer;
import org.understudy.lab.torture.history.ClientTransaction.Call;
import org.understudy.lab.torture.history.ClientTransaction.Request;
import org.understudy.lab.torture.history.Level;
import org.understudy.lab.torture.history.Operation;
import org.understudy.lab.torture.history.Outcome;
import org.understudy.lab.torture.history.TransactionOutcome;

/** The checker beside a naive one that tries all orders of operations and transactions on two counters, on many small histories. */
class TransactionBruteForceTest {
  private static final int HISTORIES = 10_000;
  private static final int COUNTERS = 2;

  /** All that takes effect at one time: operations on different counters. */
  private record Unit(List<Operation> effects, boolean optional) {
    long invoked() {
      return effects.get(0).invoked();
    }

    long returned() {
      return effects.get(0).returned();
    }
  }

  @Test
  void bothDecideAlike() {
    Random random = new Random(7);
    int accepted = 0;
    int decisive = 0;
    for (int i = 0; i < HISTORIES; i++) {
      List<Operation> operations = new ArrayList<>();
      List<ClientTransaction> transactions = new ArrayList<>();
      generate(random, operations, transactions);
      List<Unit> units = new ArrayList<>(operations.stream()
          .map(operation -> new Unit(List.of(operation), operation.outcome() == Outcome.UNKNOWN)).toList());
      transactions.stream().filter(transaction -> transaction.outcome() != TransactionOutcome.ABORTED)
          .forEach(transaction -> units.add(
              new Unit(transaction.effects(), transaction.outcome() == TransactionOutcome.UNKNOWN)));
      boolean naive = orderable(units, new HashMap<>(), 0);
      List<Violation> violations = LinearizabilityChecker.check(operations, transactions);
      assertEquals(naive, violations.isEmpty(), () -> operations + " " + transactions + " " + violations);
      accepted += naive ? 1 : 0;
      // How often the whole matters: each counter alone would be accepted.
      decisive += !naive && alone(operations, transactions) ? 1 : 0;
    }
    int count = accepted;
    assertTrue(count > HISTORIES / 20 && count < HISTORIES * 19 / 20, () -> count + " histories were accepted: too few of one kind");
    assertTrue(decisive > HISTORIES / 200, decisive + " histories are wrong only as a whole: too few");
  }

  private static boolean alone(List<Operation> operations, List<ClientTransaction> transactions) {
    for (int counter = 0; counter < COUNTERS; counter++) {
      int resource = counter;
      List<ClientTransaction> parts = transactions.stream().map(transaction -> new ClientTransaction(transaction.client(),
          transaction.invoked(), transaction.calls().stream().filter(call -> call.resource() == resource).toList(),
          transaction.answers())).toList();
      if (!LinearizabilityChecker.check(operations.stream().filter(operation -> operation.resource() == resource).toList(), parts)
          .isEmpty()) {
        return false;
      }
    }
    return true;
  }

  /** Times and values that fit each other often, and often do not. */
  private static void generate(Random random, List<Operation> operations, List<ClientTransaction> transactions) {
    int[] values = new int[COUNTERS];
    int count = 3 + random.nextInt(4);
    for (int i = 0; i < count; i++) {
      long from = 2L * i + random.nextInt(4);
      long to = from + 1 + random.nextInt(5);
      if (random.nextInt(3) == 0) {
        transactions.add(transaction(random, values, from, to));
        continue;
      }
      int counter = random.nextInt(COUNTERS);
      Level level = random.nextBoolean() ? Level.UPDATE : Level.LINEARIZABLE;
      int amount = level == Level.UPDATE ? 1 + random.nextInt(3) : 0;
      Outcome outcome = level == Level.UPDATE && random.nextInt(4) == 0 ? Outcome.UNKNOWN : Outcome.OK;
      values[counter] += amount;
      int value = shown(random, values[counter]);
      operations.add(new Operation("c", level, counter, amount, outcome == Outcome.OK ? value : 0, from, to, outcome, 0));
      values[counter] -= outcome == Outcome.UNKNOWN && random.nextBoolean() ? amount : 0;
    }
  }

  private static int shown(Random random, int value) {
    return random.nextInt(12) == 0 ? Math.max(0, value + random.nextInt(4) - 2) : value;
  }

  private static ClientTransaction transaction(Random random, int[] values, long from, long to) {
    TransactionOutcome outcome = TransactionOutcome.values()[random.nextInt(3)];
    boolean effective = outcome == TransactionOutcome.COMMITTED || outcome == TransactionOutcome.UNKNOWN && random.nextBoolean();
    List<Call> calls = new ArrayList<>();
    for (int counter = 0; counter < COUNTERS; counter++) {
      if (random.nextInt(6) == 0) {
        continue;
      }
      int amount = random.nextInt(4);
      calls.add(new Call(counter, amount, shown(random, values[counter] + amount), from, from));
      // Now and then only a part has an effect.
      values[counter] += effective ^ random.nextInt(20) == 0 ? amount : 0;
    }
    return new ClientTransaction("t", from, calls, List.of(new Answer(Request.COMMIT, outcome, 0, from, to)));
  }

  /** Whether some order of the units that are left, each at a time within its own, explains them. */
  private static boolean orderable(List<Unit> left, Map<Integer, Integer> values, long time) {
    if (left.stream().allMatch(unit -> unit.optional() || unit.effects().isEmpty())) {
      return true;
    }
    for (Unit next : left) {
      if (next.effects().isEmpty()) {
        continue;
      }
      long point = Math.max(time, next.invoked());
      boolean add = next.effects().get(0).outcome() == Outcome.UNKNOWN;
      if (!add && (point > next.returned() || !next.effects().stream()
          .allMatch(effect -> values.getOrDefault(effect.resource(), 0) + effect.amount() == effect.value()))) {
        continue;
      }
      List<Unit> rest = new ArrayList<>(left);
      rest.remove(next);
      Map<Integer, Integer> then = new HashMap<>(values);
      next.effects().forEach(effect -> then.merge(effect.resource(), effect.amount(), Integer::sum));
      if (orderable(rest, then, point)) {
        return true;
      }
    }
    return false;
  }
}
