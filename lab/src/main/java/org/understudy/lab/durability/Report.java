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
import org.understudy.lab.durability.Relations.Relation;
import org.understudy.lab.durability.Throughput.Point;
import org.understudy.lab.report.Chart;
import org.understudy.lab.report.Page;
import org.understudy.lab.report.Samples;

/** The page: both figures drawn by Chart.js, their tables, and the relations of the thesis. */
final class Report {
  private static final Map<Setup, String> COLOURS =
      Map.of(Setup.ORIGINAL, "#8c8c8c", Setup.PB, "#2f6db3", Setup.PB_DB, "#5b8c3a", Setup.DB, "#d9822b");

  private final Throughput throughput;
  private final Rounds rounds;
  private final Scale scale;
  private final int replicas;

  /**
   * A page about what was measured.
   *
   * @param throughput null when it was not
   * @param rounds null when they were not
   */
  Report(Throughput throughput, Rounds rounds, Scale scale, int replicas) {
    this.throughput = throughput;
    this.rounds = rounds;
    this.scale = scale;
    this.replicas = replicas;
  }

  void write(Path file) throws IOException {
    Page page = new Page("Understudy: what durability costs")
        .html("<h1>What durability costs</h1>\n<p>" + circumstances() + "</p>");
    if (throughput != null) {
      page.html("<h2>Figure IV.3: throughput of updates of one object</h2>\n"
              + "<p class=\"note\">The thesis counts with a counter. Here each client renews the advertisement of its own machine, "
              + "which updates one object of the Matchmaker once.</p>")
          .figure("Updates per second against the number of clients.", lines(Setup.OF_ONE_OBJECT, throughput.counts(), "clients",
              "updates per second", (setup, count) -> throughput.of(setup, count).perSecond()))
          .html(table(Setup.OF_ONE_OBJECT, throughput.counts(), count -> count + " clients", this::cell));
    }
    if (rounds != null) {
      page.html("<h2>Figure IV.6: latency of the Matchmaker, µs</h2>\n<p class=\"note\">" + pauses() + "</p>")
          .figure("Mean round trip of a job against the longest pause, in seconds of the thesis.", lines(
              List.of(Setup.values()), rounds.intervals(), "longest pause, s of the thesis", "mean, ms",
              (setup, seconds) -> rounds.of(setup, seconds).meanMicros() / 1e3))
          .html(table(List.of(Setup.values()), rounds.intervals(), seconds -> seconds + " s",
              (setup, seconds) -> cell(rounds.of(setup, seconds))));
    }
    page.html("<h2>What the thesis states, and this run</h2>\n").html(relations()).write(file);
  }

  private String circumstances() {
    return String.format(Locale.ROOT,
        "%s. original is one Tomcat with understudy.strategy=none; PB, PB+DB and DB are groups of %d replicas each; PB+DB and DB "
            + "with an H2 server that is durable at commit. All are on this machine (%d processors, Java %s, %s). %,d jobs of each "
            + "client to warm up each set-up%s. The thesis (Zhang 2006, IV.D) had one backup, MySQL 4.0 and Globus Toolkit 4.",
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

  private String cell(Setup setup, int count) {
    Point point = throughput.of(setup, count);
    return String.format(Locale.ROOT, "%,.0f/s<small>mean %,.0f µs, 99 %%: %,.0f</small>", point.perSecond(),
        point.samples().meanMicros(), point.samples().p99Micros());
  }

  private static String cell(Samples samples) {
    return String.format(Locale.ROOT, "%,.0f<small>median %,.0f, 99 %%: %,.0f</small>", samples.meanMicros(),
        samples.medianMicros(), samples.p99Micros());
  }

  private String relations() {
    StringBuilder html = new StringBuilder("<div class=\"scroll\"><table><tr><th></th><th>thesis</th><th>here</th>");
    for (Relation one : Relations.of(throughput, rounds)) {
      html.append("</tr>\n<tr><td>Fig. ").append(one.figure()).append(", ").append(one.name()).append("</td><td>")
          .append(one.thesis()).append("</td><td>").append(one.here()).append("</td>");
    }
    return html.append("</tr></table></div>\n").toString();
  }

  private static String table(
      List<Setup> setups, List<Integer> columns, Function<Integer, String> title, BiFunction<Setup, Integer, String> cell) {
    StringBuilder html = new StringBuilder("<div class=\"scroll\"><table><tr><th></th>");
    columns.forEach(column -> html.append("<th>").append(title.apply(column)).append("</th>"));
    for (Setup setup : setups) {
      html.append("</tr>\n<tr><td>").append(setup.label()).append("</td>");
      columns.forEach(column -> html.append("<td>").append(cell.apply(setup, column)).append("</td>"));
    }
    return html.append("</tr></table></div>\n").toString();
  }

  private static Map<String, Object> lines(
      List<Setup> setups, List<Integer> columns, String x, String y, BiFunction<Setup, Integer, Double> value) {
    List<Map<String, Object>> lines = new ArrayList<>();
    for (Setup setup : setups) {
      List<Map<String, Object>> points = new ArrayList<>();
      columns.forEach(column -> points.add(Map.of("x", column, "y", value.apply(setup, column))));
      lines.add(Chart.line(setup.label(), COLOURS.get(setup), points));
    }
    return Chart.logarithmic(x, y, lines);
  }
}
