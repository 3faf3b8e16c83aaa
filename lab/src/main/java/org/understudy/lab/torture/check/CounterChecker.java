package org.understudy.lab.torture.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.understudy.lab.torture.history.Level;
import org.understudy.lab.torture.history.Operation;
import org.understudy.lab.torture.history.Outcome;

/**
 * Linearizability of one counter that begins with 0, decided exactly.
 *
 * <p>Amounts are positive, so the value grows with each update and passes each value once. An acknowledged update takes the
 * counter from {@code value - amount} to {@code value}: the order of acknowledged updates is that of their values. What the
 * acknowledged ones do not explain must be sums of updates with an unknown outcome, each used once at most. Session and local
 * reads must return a value that the counter had by the time at which they returned, however old; linearizable reads a value that it
 * had between their begin and end.
 *
 * <p>The earliest time of each step is the latest of the begins of all operations up to it. The history is linearizable if no step
 * comes after the end of its operation. An update of unknown outcome takes part at any time after its begin. So it fits a step if it
 * began before the earliest end of any operation at that value or above, and the choice between those that fit does not
 * influence times. Then only sums remain to be found.
 */
public final class CounterChecker {
  private static final String LINEARIZABLE = "linearizable";

  private final List<Operation> operations;
  private final List<Violation> violations = new ArrayList<>();
  private final Map<Integer, Operation> updateFrom = new HashMap<>();
  /** The values that operations show, with those reads that returned them. */
  private final TreeMap<Integer, List<Operation>> readsAt = new TreeMap<>();
  private final TreeMap<Integer, Operation> updateTo = new TreeMap<>();
  private final Set<Operation> reported = new HashSet<>();
  private final List<UnknownSums.Gap> gaps = new ArrayList<>();

  private CounterChecker(List<Operation> operations) {
    this.operations = operations;
  }

  /** Checks the operations on one counter, in any order. */
  public static List<Violation> check(List<Operation> operations) {
    CounterChecker checker = new CounterChecker(operations);
    if (checker.index() && checker.replay()) {
      checker.explainGaps();
    }
    return checker.violations;
  }

  /** Whether each value is reached by one update at most. */
  private boolean index() {
    readsAt.put(0, new ArrayList<>());
    for (Operation operation : operations) {
      if (!operation.ok()) {
        continue;
      }
      readsAt.computeIfAbsent(operation.value(), value -> new ArrayList<>());
      if (!operation.update()) {
        readsAt.get(operation.value()).add(operation);
        continue;
      }
      int from = operation.value() - operation.amount();
      readsAt.computeIfAbsent(from, value -> new ArrayList<>());
      Operation other = updateFrom.put(from, operation);
      other = other == null ? updateTo.get(operation.value()) : other;
      updateTo.put(operation.value(), operation);
      if (other != null) {
        violations.add(new Violation("acknowledged update lost", other.describe() + " and " + operation.describe()
            + " do not both count: one of them began without the other."));
      }
    }
    if (readsAt.firstKey() < 0) {
      violations.add(new Violation(LINEARIZABLE, "A value is below 0: " + shownAt(readsAt.firstKey()) + "."));
    }
    return violations.isEmpty();
  }

  /** Takes all steps whose operations are known, each as early as possible. Collects the gaps. */
  private boolean replay() {
    long time = Long.MIN_VALUE;
    Operation last = null;
    int value = 0;
    boolean begun = false;
    for (int next : readsAt.keySet()) {
      if (begun) {
        Operation update = updateFrom.get(value);
        if (update != null && update.value() != next) {
          violations.add(new Violation(LINEARIZABLE, shownAt(next) + " shows a value within one update, " + update.describe() + "."));
          return false;
        }
        if (update == null) {
          gaps.add(new UnknownSums.Gap(value, next));
        } else {
          if (update.invoked() > time) {
            time = update.invoked();
            last = update;
          }
          late(update, time, last);
        }
      }
      begun = true;
      value = next;
      long reached = time;
      for (Operation read : readsAt.get(value)) {
        late(read, reached, last);
      }
      for (Operation read : readsAt.get(value)) {
        if (read.level() == Level.LINEARIZABLE && read.invoked() > time) {
          time = read.invoked();
          last = read;
        }
      }
    }
    return violations.isEmpty();
  }

  /** An operation that ended before the earliest time of its step. */
  private void late(Operation operation, long time, Operation because) {
    // Once for each operation that came too late, not for each that had ended before it.
    if (operation.returned() < time && reported.add(because)) {
      String promise = operation.update() ? LINEARIZABLE : operation.level().word();
      violations.add(new Violation(promise, because.describe() + " began when " + operation.describe()
          + " had ended, and yet must come before it by its value."));
    }
  }

  private void explainGaps() {
    List<Operation> unknown = operations.stream().filter(operation -> operation.update() && operation.outcome() == Outcome.UNKNOWN)
        .sorted(Comparator.comparingLong(Operation::invoked)).toList();
    List<UnknownSums.Gap> timed = new ArrayList<>();
    long earliestEnd = Long.MAX_VALUE;
    int value = Integer.MAX_VALUE;
    // From the highest value down: what ends earliest at a value or above.
    for (int i = gaps.size() - 1; i >= 0; i--) {
      UnknownSums.Gap gap = gaps.get(i);
      earliestEnd = Math.min(earliestEnd, earliestEnd(gap.to(), value));
      value = gap.to();
      timed.add(0, gap.before(earliestEnd));
    }
    UnknownSums.Answer answer = new UnknownSums(unknown).explain(timed);
    if (answer.gap() != null) {
      violations.add(new Violation(answer.decided() ? "exactly once" : "undecided", gap(answer, unknown.size())));
    }
  }

  private long earliestEnd(int from, int below) {
    long end = Long.MAX_VALUE;
    for (List<Operation> reads : readsAt.subMap(from, below).values()) {
      for (Operation read : reads) {
        end = Math.min(end, read.returned());
      }
    }
    for (Operation update : updateTo.subMap(from, below).values()) {
      end = Math.min(end, update.returned());
    }
    return end;
  }

  private String gap(UnknownSums.Answer answer, int unknown) {
    UnknownSums.Gap gap = answer.gap();
    int sum = gap.to() - gap.from();
    StringBuilder text = new StringBuilder("The counter went from " + gap.from() + " to " + gap.to() + ", seen by "
        + shownAt(gap.to()) + (answer.decided()
            ? ", and no update explains the difference " + sum
            : ", and the search among updates of unknown outcome was given up for the difference " + sum)
        + " (" + unknown + " updates of this counter have an unknown outcome).");
    operations.stream().filter(operation -> operation.update() && operation.amount() == sum && operation.outcome() != Outcome.UNKNOWN)
        .limit(3).forEach(suspect -> text.append(" It is the amount of ").append(suspect.describe()).append('.'));
    return text.toString();
  }

  /** An operation that shows a value, for people. */
  private String shownAt(int value) {
    if (updateTo.containsKey(value)) {
      return updateTo.get(value).describe();
    }
    if (!readsAt.get(value).isEmpty()) {
      return readsAt.get(value).get(0).describe();
    }
    Operation begun = updateFrom.get(value);
    return begun == null ? "value " + value : begun.describe();
  }
}
