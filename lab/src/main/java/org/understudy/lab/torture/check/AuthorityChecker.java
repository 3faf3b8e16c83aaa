package org.understudy.lab.torture.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.understudy.lab.torture.history.WritableReport;

/**
 * Once a replica has been writable in a view, none is writable in an earlier one: who leads that must know before that it has lost its
 * authority. A member that does not lead may learn of that later. Only reports of which one certainly came after the other count.
 */
public final class AuthorityChecker {
  private AuthorityChecker() {}

  /**
   * Returns the reports of writability in a view that another one had replaced.
   *
   * @param tolerated nanoseconds for which a replica may take an earlier view for the newest one
   */
  public static List<Violation> check(List<WritableReport> reports, long tolerated) {
    NavigableMap<Long, WritableReport> first = new TreeMap<>();
    for (WritableReport report : reports) {
      first.merge(report.epoch(), report, (one, other) -> one.returned() <= other.returned() ? one : other);
    }
    List<WritableReport> begun = new ArrayList<>(reports);
    begun.sort(Comparator.comparingLong(WritableReport::invoked));
    List<Violation> violations = new ArrayList<>();
    for (WritableReport report : begun) {
      first.tailMap(report.epoch(), false).values().stream()
          .filter(later -> later.returned() < report.invoked() - tolerated)
          .findFirst()
          .ifPresent(later -> violations.add(new Violation(
              "one writable view", report.describe() + " reported that it was writable, and before that " + later.describe() + ".")));
    }
    return violations;
  }
}
