package org.understudy.lab.torture;

import java.io.PrintStream;
import java.util.List;
import org.understudy.lab.torture.check.Violation;
import org.understudy.lab.torture.fault.FaultRunner;
import org.understudy.lab.torture.history.Cut;
import org.understudy.lab.torture.history.History;
import org.understudy.lab.torture.history.Level;
import org.understudy.lab.torture.history.Operation;
import org.understudy.lab.torture.history.Outcome;
import org.understudy.lab.torture.history.TransactionOutcome;

/**
 * What a run showed.
 *
 * @param writable how often a replica reported that it was writable
 * @param delays how often this machine was too busy for a thread of the program itself
 */
record Verdict(History.Recorded history, List<FaultRunner.Effect> effects, int writable, int delays, List<Violation> violations) {
  private static final int MAX_PRINTED = 20;

  Verdict {
    effects = List.copyOf(effects);
    violations = List.copyOf(violations);
  }

  boolean pass() {
    return violations.isEmpty();
  }

  /** Prints tables of operations and faults, and the violations; PASS or FAIL last. */
  void print(PrintStream out) {
    out.printf("%-14s %10s %10s %10s %12s%n", "operations", "ok", "failed", "unknown", "longest, s");
    for (Level level : Level.values()) {
      List<Operation> operations = history.operations().stream().filter(operation -> operation.level() == level).toList();
      long longest = operations.stream().mapToLong(operation -> operation.returned() - operation.invoked()).max().orElse(0);
      out.printf("%-14s %,10d %,10d %,10d %12.1f%n", level.word(), count(operations, Outcome.OK), count(operations, Outcome.FAIL),
          count(operations, Outcome.UNKNOWN), longest / 1e9);
    }
    if (!history.transactions().isEmpty()) {
      printTransactions(out);
    }
    Progress progress = new Progress(history);
    if (!effects.isEmpty()) {
      out.printf("%n%-5s %8s %8s %10s %10s %10s%s  %s%n", "fault", "from, s", "to, s", "whole, s", "updates", "silence, s",
          shims() ? "     sent, kB" : "", "what");
    }
    for (int i = 0; i < effects.size(); i++) {
      FaultRunner.Effect effect = effects.get(i);
      out.printf("%-5d %8.1f %8.1f %10s %,10d %10.1f%s  %s%n", i + 1, effect.from() / 1e9, effect.to() / 1e9,
          effect.whole() == 0 ? "never" : String.format("%.1f", (effect.whole() - effect.to()) / 1e9),
          progress.count(effect.from(), effect.to()), progress.longestSilence(effect.from(), effect.to()) / 1e9,
          shims() ? String.format(" %,12d", effect.bytes() / 1_000) : "", effect.what());
    }
    long refused = history.cuts().stream().mapToLong(this::refused).sum();
    out.printf("%nrequests refused or unanswered by a minority while it was cut off: %,d%n", refused);
    out.printf("answers of health pages that a replica is writable: %,d%n", writable);
    if (delays > 0) {
      out.printf("times that this machine was too busy to run this program for 0.3 s and more: %d%n", delays);
    }
    out.printf("violations: %d%n", violations.size());
    violations.stream().limit(MAX_PRINTED).forEach(out::println);
    if (violations.size() > MAX_PRINTED) {
      out.printf("… and %d more%n", violations.size() - MAX_PRINTED);
    }
    out.println(pass() ? "PASS" : "FAIL");
  }

  private boolean shims() {
    return effects.stream().anyMatch(effect -> effect.bytes() > 0);
  }

  private void printTransactions(PrintStream out) {
    out.printf("%n%-14s %10s %10s %10s%n%-14s", "", "committed", "aborted", "unknown", "transactions");
    for (TransactionOutcome outcome : TransactionOutcome.values()) {
      out.printf(" %,10d", history.transactions().stream().filter(transaction -> transaction.outcome() == outcome).count());
    }
    out.println();
  }

  private static long count(List<Operation> operations, Outcome outcome) {
    return operations.stream().filter(operation -> operation.outcome() == outcome).count();
  }

  private long refused(Cut cut) {
    return history.operations().stream().filter(operation -> cut.minority().contains(operation.replica()) && !operation.ok()
        && operation.invoked() >= cut.from() && operation.returned() <= cut.to()).count();
  }
}
