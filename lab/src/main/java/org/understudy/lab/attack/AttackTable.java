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
      new ArrayList<>(List.of("attack,sent,served,refused,closed,held,honest_calls,longest_ms,failures,heap_before,heap_after,"
          + "direct,files,answers"));
  private final List<String> failures = new ArrayList<>();
  private long honestCalls;
  private long longestMillis;
  private int files;

  /** Prints the head of the table and how honest clients are served without an attack. */
  void quiet(HonestClients.Service seen) {
    System.out.printf("%-36s %8s %8s %8s %8s %8s | %12s %10s %8s | %15s %9s %5s | %s%n", "attack", "sent", "served", "refused", "closed",
        "held", "honest calls", "longest ms", "failures", "largest heap MB", "direct MB", "files", "answers");
    row("(none)", new Tally(), seen, String.format("%15s %9s %5s", "", "", ""));
    count(seen);
  }

  void add(
      String attack,
      Tally tally,
      HonestClients.Service seen,
      ReplicaResources.Measured before,
      ReplicaResources.Measured after) {
    row(attack, tally, seen, String.format(Locale.ROOT, "%6.1f -> %5.1f %9.1f %5d", before.heapBytes() / 1e6, after.heapBytes() / 1e6,
        after.directBytes() / 1e6, after.newFiles()));
    csv.add(String.format(Locale.ROOT, "%s,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%s", attack, tally.attempts(), tally.successes(),
        tally.refusals(), tally.closures(), tally.held(), seen.calls(), seen.longestMillis(), seen.failures().size(),
        before.heapBytes(), after.heapBytes(), after.directBytes(), after.newFiles(), tally.answers()));
    files += after.newFiles();
    count(seen);
  }

  private static void row(String attack, Tally tally, HonestClients.Service seen, String resources) {
    System.out.printf("%-36s %8d %8d %8d %8d %8d | %12d %10d %8d | %s | %s%n", attack, tally.attempts(), tally.successes(),
        tally.refusals(), tally.closures(), tally.held(), seen.calls(), seen.longestMillis(), seen.failures().size(), resources,
        tally.answers());
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

  /** Prints the last line; true when every honest client was served and no temporary file has stayed. */
  boolean verdict() {
    boolean passed = failures.isEmpty() && honestCalls > 0 && files == 0;
    System.out.printf("%s: %,d calls of honest clients, %,d not served, longest wait %,d ms, %,d temporary files left%n",
        passed ? "PASS" : "FAIL", honestCalls, failures.size(), longestMillis, files);
    return passed;
  }
}
