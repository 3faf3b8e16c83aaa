package org.understudy.lab.durability;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.understudy.lab.durability.Recovery.Times;
import org.understudy.lab.durability.Relations.Relation;
import org.understudy.lab.report.Chart;
import org.understudy.lab.report.Page;

/** Recovery times as CSV, for the terminal, and as a part of the page. */
final class RecoveryTables {
  private static final Map<Mechanism, String> COLOURS = Map.of(
      Mechanism.replication, "#2f6db3", Mechanism.database, "#d9822b", Mechanism.reconstruction, "#8c8c8c", Mechanism.journal, "#5b8c3a");

  private RecoveryTables() {}

  static void write(Recovery recovery, Path directory) throws IOException {
    List<String> lines = new ArrayList<>(List.of("mechanism,counters,failure,detected_ms,served_ms,complete_ms,recovery_ms"));
    for (Mechanism mechanism : recovery.mechanisms()) {
      for (int size : recovery.sizes()) {
        int failure = 0;
        for (Times times : recovery.of(mechanism, size)) {
          lines.add(String.format(Locale.ROOT, "%s,%d,%d,%.1f,%.1f,%.1f,%.1f", mechanism.label(), size, ++failure,
              times.detected() / 1e6, times.served() / 1e6, times.complete() / 1e6, times.recovery() / 1e6));
        }
      }
    }
    Files.write(directory.resolve("recovery.csv"), lines);
  }

  static void print(Recovery recovery) {
    System.out.println("Recovery in ms without its detection, and in brackets its detection, against the number of counters");
    System.out.printf("%-16s", "");
    recovery.sizes().forEach(size -> System.out.printf("%20d", size));
    System.out.println();
    for (Mechanism mechanism : recovery.mechanisms()) {
      System.out.printf("%-16s", mechanism.label());
      for (int size : recovery.sizes()) {
        Times median = recovery.median(mechanism, size);
        System.out.printf("%20s", String.format(Locale.ROOT, "%.0f (%.0f)", median.recovery() / 1e6, median.detected() / 1e6));
      }
      System.out.println();
    }
  }

  /** What the thesis states about recoveries (IV.B, IV.C). It has no figures. */
  static List<Relation> relations(Recovery recovery) {
    List<Relation> relations = new ArrayList<>();
    int least = recovery.sizes().get(0);
    int most = recovery.sizes().get(recovery.sizes().size() - 1);
    for (Mechanism mechanism : recovery.mechanisms()) {
      relations.add(new Relation("IV.A", "recovery by " + mechanism.label() + ": with " + most + " / with " + least + " counters",
          thesis(mechanism), String.format(Locale.ROOT, "%.2f",
              (double) recovery.median(mechanism, most).recovery() / Math.max(1, recovery.median(mechanism, least).recovery()))));
    }
    return relations;
  }

  private static String thesis(Mechanism mechanism) {
    return switch (mechanism) {
      case replication -> "about 1: changes its role";
      case database -> "above 1: loads it";
      case reconstruction -> "above 1: clients resend";
      case journal -> "not described";
    };
  }

  static void addTo(Page page, Recovery recovery) throws IOException {
    List<Map<String, Object>> lines = new ArrayList<>();
    for (Mechanism mechanism : recovery.mechanisms()) {
      List<Map<String, Object>> points = new ArrayList<>();
      recovery.sizes().forEach(size ->
          points.add(Map.of("x", Math.max(1, size), "y", recovery.median(mechanism, size).recovery() / 1e6)));
      lines.add(Chart.line(mechanism.label(), COLOURS.get(mechanism), points));
    }
    page.html("<h2>Recovery (IV.A)</h2>\n<p class=\"note\">Groups of three replicas. The primary is killed, and a client calls at once. "
            + "Recovery is the time without detection, which ends when there is a view without the dead replica. It ends with the first "
            + "answer, or with reconstruction when " + Thesis.CLIENTS + " clients have opened all counters again, each by one request. For "
            + "a total restart all replicas are killed and started together, with understudy.journal=disk; detection ends when the first "
            + "one answers health checks. Medians of " + recovery.failures() + ".</p>\n")
        .figure("Recovery against the number of counters; none is drawn at 1.", Chart.logarithmic("counters", "recovery, ms", lines))
        .html(table(recovery));
  }

  private static String table(Recovery recovery) {
    StringBuilder html = new StringBuilder("<div class=\"scroll\"><table><tr><th>ms</th>");
    recovery.sizes().forEach(size -> html.append(String.format(Locale.ROOT, "<th>%,d counters</th>", size)));
    for (Mechanism mechanism : recovery.mechanisms()) {
      html.append("</tr>\n<tr><td>").append(mechanism.label()).append("</td>");
      for (int size : recovery.sizes()) {
        Times median = recovery.median(mechanism, size);
        html.append(String.format(Locale.ROOT, "<td>%,.0f<small>detected after %,.0f, first answer after %,.0f</small></td>",
            median.recovery() / 1e6, median.detected() / 1e6, median.served() / 1e6));
      }
    }
    return html.append("</tr></table></div>\n").toString();
  }
}
