package org.understudy.lab.durability;

import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.understudy.lab.durability.Counting.Point;
import org.understudy.lab.durability.Relations.Relation;
import org.understudy.lab.report.Chart;
import org.understudy.lab.report.Page;
import org.understudy.lab.report.Samples;

/** The page: the figures drawn by Chart.js, their tables, and the relations of the thesis. */
final class Report {
  private static final Map<String, String> COLOURS = Map.of(
      Setup.ORIGINAL.label(), "#8c8c8c", Setup.PB.label(), "#2f6db3", Setup.PB_DB.label(), "#5b8c3a", Setup.DB.label(), "#d9822b",
      CounterSetup.PB_TWO_BACKUPS.label(), "#7a4fa3");

  private final Results results;
  private final Counting counting;
  private final Rounds rounds;
  private final Scale scale;
  private final int replicas;

  /** A page about what was measured. */
  Report(Results results, Scale scale, int replicas) {
    this.results = results;
    this.counting = results.counting();
    this.rounds = results.rounds();
    this.scale = scale;
    this.replicas = replicas;
  }

  void write(Path file) throws IOException {
    Page page = new Page("Understudy: what durability costs")
        .html("<h1>What durability costs</h1>\n<p>" + circumstances() + "</p>");
    if (counting != null) {
      page.html("<h2>Figure IV.3: throughput of the counter</h2>\n<p class=\"note\">All clients of a group add to one counter.</p>\n")
          .figure("Additions per second against the number of clients.", lines(CounterSetup.values(), CounterSetup::label,
              counting.counts(), "clients", "additions per second", (setup, count) -> counting.of(setup, count).perSecond()))
          .html(table(CounterSetup.values(), CounterSetup::label, counting.counts(), count -> count + " clients", this::cell));
    }
    if (results.roundTrips() != null) {
      RoundTripTables.addTo(page, results.roundTrips());
    }
    if (rounds != null) {
      page.html("<h2>Figure IV.6: latency of the Matchmaker, µs</h2>\n<p class=\"note\">" + pauses() + "</p>")
          .figure("Mean round trip of a job against the longest pause, in seconds of the thesis.", lines(
              Setup.values(), Setup::label, rounds.intervals(), "longest pause, s of the thesis", "mean, ms",
              (setup, seconds) -> rounds.of(setup, seconds).meanMicros() / 1e3))
          .html(table(Setup.values(), Setup::label, rounds.intervals(), seconds -> seconds + " s",
              (setup, seconds) -> cell(rounds.of(setup, seconds))))
          .html(breakdown());
    }
    if (results.recovery() != null) {
      RecoveryTables.addTo(page, results.recovery());
    }
    page.html("<h2>What the thesis states, and this run</h2>\n").html(relations()).write(file);
  }

  private String circumstances() {
    return String.format(Locale.ROOT,
        "%s. original is one Tomcat with understudy.strategy=none; the others are groups of %d replicas, or as many as named; PB+DB "
            + "and DB with an H2 server that is durable at commit. All are on this machine (%d processors, Java %s, %s). %,d requests "
            + "of each client to warm up each set-up%s. The thesis (Zhang 2006, IV.D) had one backup, MySQL 4.0 and Globus Toolkit 4.",
        LocalDate.now(ZoneId.systemDefault()), replicas, Runtime.getRuntime().availableProcessors(),
        System.getProperty("java.version"), System.getProperty("os.name"), scale.warmUp(),
        scale.isWarm() ? "" : " (too few: the JVMs are not warm)");
  }

  private String pauses() {
    return String.format(Locale.ROOT,
        "%d clients, %d rounds each of 1 to %d jobs, then a pause from 0 to the interval, %d times. A second of the thesis is "
            + "%.2f ms here: a round trip is %.2f ms, and was %.0f ms. The thesis does not give its intervals in the text.",
        Thesis.CLIENTS, scale.rounds(), Thesis.REQUESTS, scale.repetitions(), rounds.pauseNanos(1) / 1e6,
        rounds.roundTripMicros() / 1e3, Thesis.ROUND_TRIP_MILLIS);
  }

  private String cell(CounterSetup setup, int count) {
    Point point = counting.of(setup, count);
    return String.format(Locale.ROOT, "%,.0f/s<small>mean %,.0f µs, 99 %%: %,.0f</small>", point.perSecond(),
        point.samples().meanMicros(), point.samples().p99Micros());
  }

  private static String cell(Samples samples) {
    return String.format(Locale.ROOT, "%,.0f<small>median %,.0f, 99 %%: %,.0f</small>", samples.meanMicros(),
        samples.medianMicros(), samples.p99Micros());
  }

  private String relations() {
    StringBuilder html = new StringBuilder("<div class=\"scroll\"><table><tr><th></th><th>thesis</th><th>here</th>");
    for (Relation one : Relations.of(results)) {
      html.append("</tr>\n<tr><td>").append(one.figure()).append(", ").append(one.name()).append("</td><td>")
          .append(one.thesis()).append("</td><td>").append(one.here()).append("</td>");
    }
    return html.append("</tr></table></div>\n").toString();
  }

  private String breakdown() {
    StringBuilder html = new StringBuilder("<p>Parts of the mean round trip of a job, µs, over all intervals.")
        .append(rounds.isBetween() ? "" : " " + Tables.difference(rounds))
        .append("</p>\n<div class=\"scroll\"><table><tr><th></th>");
    for (Breakdown.Part part : Breakdown.Part.values()) {
      html.append("<th>").append(part.label()).append("</th>");
    }
    for (Setup setup : Setup.values()) {
      html.append("</tr>\n<tr><td>").append(setup.label()).append("</td>");
      for (Breakdown.Part part : Breakdown.Part.values()) {
        html.append(String.format(Locale.ROOT, "<td>%,.0f</td>", rounds.breakdown(setup).of(part).meanMicros()));
      }
    }
    return html.append("</tr></table></div>\n").toString();
  }

  private static <S> String table(
      S[] setups, Function<S, String> label, List<Integer> columns, Function<Integer, String> title,
      BiFunction<S, Integer, String> cell) {
    StringBuilder html = new StringBuilder("<div class=\"scroll\"><table><tr><th></th>");
    columns.forEach(column -> html.append("<th>").append(title.apply(column)).append("</th>"));
    for (S setup : setups) {
      html.append("</tr>\n<tr><td>").append(label.apply(setup)).append("</td>");
      columns.forEach(column -> html.append("<td>").append(cell.apply(setup, column)).append("</td>"));
    }
    return html.append("</tr></table></div>\n").toString();
  }

  private static <S> Map<String, Object> lines(
      S[] setups, Function<S, String> label, List<Integer> columns, String x, String y, BiFunction<S, Integer, Double> value) {
    List<Map<String, Object>> lines = new ArrayList<>();
    for (S setup : setups) {
      List<Map<String, Object>> points = new ArrayList<>();
      columns.forEach(column -> points.add(Map.of("x", column, "y", value.apply(setup, column))));
      lines.add(Chart.line(label.apply(setup), COLOURS.get(label.apply(setup)), points));
    }
    return Chart.logarithmic(x, y, lines);
  }
}
