package org.understudy.lab.torture.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.understudy.lab.torture.history.History;
import org.understudy.lab.torture.history.Operation;
import org.understudy.lab.torture.history.TransactionOutcome;

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
    List<Violation> violations = new ArrayList<>(LinearizabilityChecker.check(history.operations(), history.transactions()));
    violations.addAll(TransactionChecker.check(history.transactions()));
    List<Operation> operations = new ArrayList<>(history.operations());
    history.transactions().stream().filter(transaction -> transaction.outcome() == TransactionOutcome.COMMITTED)
        .forEach(transaction -> operations.addAll(transaction.effects()));
    operations.sort(Comparator.comparingLong(Operation::returned));
    violations.addAll(SessionChecker.check(operations));
    violations.addAll(MinorityChecker.check(operations, history.cuts(), MAX_LEASE_NANOS, databaseDecides));
    return violations;
  }
}
