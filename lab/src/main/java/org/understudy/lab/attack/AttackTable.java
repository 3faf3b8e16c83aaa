package org.understudy.lab.attack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The account of the attacks: printed row by row as they end, then written as CSV. */
final class AttackTable {
  private static final int FAILURES_PRINTED = 5;

  private final List<String> csv =
      new ArrayList<>(List.of("attack,sent,served,refused,closed,held,honest_calls,longest_ms,failures,heap_before,heap_after"));
  private final List<String> failures = new ArrayList<>();
  private long honestCalls;
  private long longestMillis;

  /** Prints the head of the table and how honest clients are served without an attack. */
  void quiet(HonestClients.Service seen) {
    System.out.printf("%-36s %8s %8s %8s %8s %8s | %12s %10s %8s | %s%n", "attack", "sent", "served", "refused", "closed",
        "held", "honest calls", "longest ms", "failures", "largest heap MB");
    row("(none)", new Tally(), seen, "");
    count(seen);
  }

  void add(String attack, Tally tally, HonestClients.Service seen, long heapBefore, long heapAfter) {
    row(attack, tally, seen, String.format(Locale.ROOT, "%.1f -> %.1f", heapBefore / 1e6, heapAfter / 1e6));
    csv.add(String.format(Locale.ROOT, "%s,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d", attack, tally.attempts(), tally.successes(),
        tally.refusals(), tally.closures(), tally.held(), seen.calls(), seen.longestMillis(), seen.failures().size(),
        heapBefore, heapAfter));
    count(seen);
  }

  private static void row(String attack, Tally tally, HonestClients.Service seen, String heap) {
    System.out.printf("%-36s %8d %8d %8d %8d %8d | %12d %10d %8d | %s%n", attack, tally.attempts(), tally.successes(),
        tally.refusals(), tally.closures(), tally.held(), seen.calls(), seen.longestMillis(), seen.failures().size(), heap);
    seen.failures().stream().limit(FAILURES_PRINTED).forEach(failure -> System.out.println("    " + failure));
  }

  private void count(HonestClients.Service seen) {
    honestCalls += seen.calls();
    longestMillis = Math.max(longestMillis, seen.longestMillis());
    failures.addAll(seen.failures());
  }

  void write(Path file) throws IOException {
    Files.write(file, csv);
  }

  /** Prints the last line; true when every honest client was served. */
  boolean verdict() {
    boolean passed = failures.isEmpty() && honestCalls > 0;
    System.out.printf("%s: %,d calls of honest clients, %,d not served, longest wait %,d ms%n", passed ? "PASS" : "FAIL",
        honestCalls, failures.size(), longestMillis);
    return passed;
  }
}
