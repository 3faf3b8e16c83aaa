package org.understudy.lab.durability;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.understudy.lab.report.Page;
import org.understudy.lab.report.Samples;

/** The round trips of one client as CSV, for the terminal, and as a part of the page. */
final class RoundTripTables {
  private RoundTripTables() {}

  static void write(RoundTrips roundTrips, Path directory) throws IOException {
    List<String> lines = new ArrayList<>(List.of(
        "pair_with,pair,setup,requests,median_ratio_to_original,mean_ratio_to_original,mean_us,median_us,p99_us"));
    for (CounterSetup compared : RoundTrips.COMPARED) {
      int number = 0;
      for (RoundTripPair pair : roundTrips.pairs(compared)) {
        number++;
        for (CounterSetup setup : List.of(CounterSetup.ORIGINAL, compared)) {
          boolean original = setup == CounterSetup.ORIGINAL;
          Samples samples = pair.roundTrips(setup);
          lines.add(String.format(Locale.ROOT, "%s,%d,%s,%d,%.3f,%.3f,%s", compared.label(), number, setup.label(), samples.count(),
              original ? 1 : pair.medianRatio(), original ? 1 : pair.meanRatio(), Tables.times(samples)));
        }
      }
    }
    Files.write(directory.resolve("round-trips.csv"), lines);
    lines = new ArrayList<>(List.of("pair_with,setup,part,mean_us,median_us,p99_us"));
    for (CounterSetup compared : RoundTrips.COMPARED) {
      for (CounterSetup setup : List.of(CounterSetup.ORIGINAL, compared)) {
        for (Breakdown.Part part : Breakdown.Part.values()) {
          lines.add(compared.label() + "," + setup.label() + "," + part.label() + ","
              + Tables.times(roundTrips.breakdown(compared, setup).of(part)));
        }
      }
    }
    Files.write(directory.resolve("round-trip-parts.csv"), lines);
    lines = new ArrayList<>(List.of("goal,limit,median,mean,verdict"));
    for (Goal goal : Goal.of(roundTrips)) {
      lines.add(String.format(Locale.ROOT, "%s,%.2f,%.3f,%.3f,%s", goal.name(), goal.limit(), goal.median(), goal.mean(),
          goal.verdict()));
    }
    Files.write(directory.resolve("goals.csv"), lines);
  }

  /** What one pair has shown, in one line. */
  static String pair(RoundTripPair pair) {
    return String.format(Locale.ROOT, "%s: median %.0f µs, original %.0f, ratio %.2f; of the means %.2f.", pair.compared().label(),
        pair.roundTrips(pair.compared()).medianMicros(), pair.roundTrips(CounterSetup.ORIGINAL).medianMicros(), pair.medianRatio(),
        pair.meanRatio());
  }

  static void print(RoundTrips roundTrips) {
    System.out.println("Round trip of one client in µs, each set-up beside the original in fresh pairs, and the ratio of the medians");
    System.out.printf("%-14s%10s%10s%10s%10s%8s%n", "", "median", "original", "mean", "original", "ratio");
    for (CounterSetup compared : RoundTrips.COMPARED) {
      Samples samples = roundTrips.roundTrips(compared, compared);
      Samples original = roundTrips.roundTrips(compared, CounterSetup.ORIGINAL);
      System.out.printf(Locale.ROOT, "%-14s%10.0f%10.0f%10.0f%10.0f%8.2f  each pair: %s%n", compared.label(), samples.medianMicros(),
          original.medianMicros(), samples.meanMicros(), original.meanMicros(), roundTrips.medianRatios(compared).median(),
          roundTrips.medianRatios(compared));
    }
    for (CounterSetup compared : RoundTrips.COMPARED) {
      Tables.print("Parts of the mean round trip of one client in µs", new CounterSetup[] {CounterSetup.ORIGINAL, compared},
          CounterSetup::label, setup -> roundTrips.breakdown(compared, setup));
    }
    for (Goal goal : Goal.of(roundTrips)) {
      System.out.printf(Locale.ROOT, "Goal: %s at most %.2f: %.2f by medians (%.2f by means), %s.%n", goal.name(), goal.limit(),
          goal.median(), goal.mean(), goal.verdict());
    }
  }

  static void addTo(Page page, RoundTrips roundTrips) {
    page.html("<h2>Round trips of one client to the counter</h2>\n<p class=\"note\">Each set-up was measured beside the original while no "
        + "other one ran, in pairs of fresh servers. Ratios are medians of the pairs.</p>\n").html(table(roundTrips));
    for (Goal goal : Goal.of(roundTrips)) {
      page.html(String.format(Locale.ROOT, "<p>Goal: %s at most %.2f: %.2f by medians, %s.</p>\n", goal.name(), goal.limit(),
          goal.median(), goal.verdict()));
    }
  }

  private static String table(RoundTrips roundTrips) {
    StringBuilder html = new StringBuilder("<div class=\"scroll\"><table><tr><th></th><th>median, µs</th><th>original</th>")
        .append("<th>/ original</th><th>each pair</th><th>mean, µs</th><th>original</th><th>/ original</th>");
    for (CounterSetup compared : RoundTrips.COMPARED) {
      Samples samples = roundTrips.roundTrips(compared, compared);
      Samples original = roundTrips.roundTrips(compared, CounterSetup.ORIGINAL);
      html.append(String.format(Locale.ROOT,
          "</tr>\n<tr><td>%s</td><td>%,.0f</td><td>%,.0f</td><td>%.2f</td><td>%s</td><td>%,.0f</td><td>%,.0f</td><td>%.2f</td>",
          compared.label(), samples.medianMicros(), original.medianMicros(), roundTrips.medianRatios(compared).median(),
          roundTrips.medianRatios(compared), samples.meanMicros(), original.meanMicros(), roundTrips.meanRatios(compared).median()));
    }
    return html.append("</tr></table></div>\n").toString();
  }
}
