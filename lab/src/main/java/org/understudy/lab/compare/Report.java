package org.understudy.lab.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import org.understudy.lab.report.Chart;
import org.understudy.lab.report.Page;
import org.understudy.lab.report.Samples;

/** The page: the tables beside the paper's, and its Figure III.4 redrawn by Chart.js. */
final class Report {
  private static final Map<Mode, String> COLOURS =
      Map.of(Mode.NONE, "#8c8c8c", Mode.SOCKET, "#2f6db3", Mode.CALL, "#d9822b", Mode.NOTIFICATION, "#5b8c3a");

  private final RoundTrips roundTrips;
  private final Failovers failovers;
  private final int replicas;
  private final Scale scale;

  Report(RoundTrips roundTrips, Failovers failovers, int replicas, Scale scale) {
    this.roundTrips = roundTrips;
    this.failovers = failovers;
    this.replicas = replicas;
    this.scale = scale;
  }

  void write(Path file) throws IOException {
    new Page("Understudy: what replication costs")
        .html("<h1>What replication costs</h1>\n")
        .html("<p>" + circumstances() + "</p>"
            + "<p class=\"note\">In each cell the median, and in small print mean, standard deviation and 99th percentile; "
            + "“2004” is the median of Zhang et al., IEEE Cluster 2004, with one backup on Globus Toolkit 3.</p>")
        .html("<h2>Figure III.4: a client’s request and what of it is replication</h2>")
        .figure("Median round trips. White: the same request without replication; coloured: what state "
            + "transfer adds. The whole bar is what the client sees.", requests())
        .html("<h2>Table III.1: a state update’s way to the backups and back, µs</h2>")
        .html(sizes(Mode.TRANSFERS,
            (mode, bytes) -> cell(roundTrips.stable(mode, bytes), Paper.stateTransfer(mode, bytes))))
        .html("<h2>Table III.2: a client’s round trip, µs</h2>")
        .html(sizes(List.of(Mode.values()),
            (mode, bytes) -> cell(roundTrips.client(mode, bytes), Paper.clientRequest(mode, bytes))))
        .html("<h2>Table III.3: its ratio to strategy none</h2>")
        .html(sizes(Mode.TRANSFERS, (mode, bytes) ->
            String.format(Locale.ROOT, "%.2f<small>2004: %s</small>", roundTrips.ratio(mode, bytes),
                Paper.ratio(mode, bytes))))
        .html("<h2>Table III.4: until the last client knows of a failover, µs</h2>")
        .html(failoverTable())
        .figure("Median time from the new primary’s knowledge of its view until the last client has "
            + "heard, both axes logarithmic; 2004 beside it.", failoverChart())
        .write(file);
  }

  private String circumstances() {
    return String.format(Locale.ROOT,
        "%s. %d replicas, each a Tomcat of its own on this machine (%d processors, Java %s, %s), %,d calls of each mode and "
            + "size by one client after %,d to warm up, in batches of %d in shuffled order; %d failovers of each mode and "
            + "number of clients%s.",
        LocalDate.now(ZoneId.systemDefault()), replicas, Runtime.getRuntime().availableProcessors(), System.getProperty("java.version"),
        System.getProperty("os.name"), scale.calls(), scale.warmUp(), scale.batch(), scale.failovers(),
        replicas < 3 ? ", those in groups of three, since two replicas do not outlive one of them" : "");
  }

  // ------------------------------------------------------------------------------------------------ tables

  private static String cell(Samples samples, Double paperMillis) {
    String paper = paperMillis == null ? "" : "<small>2004: " + paperMillis + " ms</small>";
    return String.format(Locale.ROOT, "%,.0f<small>%,.0f ± %,.0f, 99 %%: %,.0f</small>%s", samples.medianMicros(),
        samples.meanMicros(), samples.deviationMicros(), samples.p99Micros(), paper);
  }

  private static String sizes(List<Mode> modes, BiFunction<Mode, Integer, String> cell) {
    return table(modes, RoundTrips.BYTES, " B", cell);
  }

  private String failoverTable() {
    return table(Mode.TRANSFERS, failovers.counts(), " clients",
        (mode, clients) -> cell(failovers.durations(mode, clients), Paper.failover(clients)));
  }

  private static String table(
      List<Mode> modes, List<Integer> columns, String unit, BiFunction<Mode, Integer, String> cell) {
    StringBuilder html = new StringBuilder("<div class=\"scroll\"><table><tr><th></th>");
    for (int column : columns) {
      html.append(String.format(Locale.ROOT, "<th>%,d%s</th>", column, column == 1 ? unit.replace("s", "") : unit));
    }
    for (Mode mode : modes) {
      html.append("</tr>\n<tr><td>").append(mode.label()).append("</td>");
      columns.forEach(column -> html.append("<td>").append(cell.apply(mode, column)).append("</td>"));
    }
    return html.append("</tr></table></div>\n").toString();
  }

  // ------------------------------------------------------------------------------------------------ charts

  private Map<String, Object> requests() {
    List<Map<String, Object>> datasets = new ArrayList<>();
    for (Mode mode : Mode.TRANSFERS) {
      List<Double> without = new ArrayList<>();
      List<Double> added = new ArrayList<>();
      for (int bytes : RoundTrips.BYTES) {
        double none = roundTrips.client(Mode.NONE, bytes).medianMicros();
        without.add(none);
        added.add(Math.max(0, roundTrips.client(mode, bytes).medianMicros() - none));
      }
      datasets.add(bar(mode, "request alone (" + mode.label() + ")", "#ffffff", without));
      datasets.add(bar(mode, mode.label(), COLOURS.get(mode), added));
    }
    List<String> labels = RoundTrips.BYTES.stream().map(bytes -> String.format(Locale.ROOT, "%,d B", bytes)).toList();
    return Map.of(
        "type", "bar",
        "data", Map.of("labels", labels, "datasets", datasets),
        "options", Map.of(
            "maintainAspectRatio", false,
            "animation", false,
            "scales", Map.of(
                "x", Chart.stacked("state", "category"),
                "y", Chart.stacked("median, µs", "linear"))));
  }

  private static Map<String, Object> bar(Mode mode, String label, String colour, List<Double> data) {
    return Map.of(
        "label", label,
        "stack", mode.label(),
        "data", data,
        "backgroundColor", colour,
        "borderColor", COLOURS.get(mode),
        "borderWidth", 1);
  }

  private Map<String, Object> failoverChart() {
    List<Map<String, Object>> datasets = new ArrayList<>();
    for (Mode mode : Mode.TRANSFERS) {
      List<Map<String, Object>> points = new ArrayList<>();
      for (int clients : failovers.counts()) {
        points.add(Map.of("x", clients, "y", failovers.durations(mode, clients).medianMicros() / 1e3));
      }
      datasets.add(Chart.line(mode.label(), COLOURS.get(mode), points));
    }
    List<Map<String, Object>> paper = new ArrayList<>();
    for (int clients : List.of(1, 2, 4, 8, 16)) {
      paper.add(Map.of("x", clients, "y", Paper.failover(clients)));
    }
    datasets.add(Chart.line("2004", COLOURS.get(Mode.NONE), paper));
    return Chart.logarithmic("clients", "median, ms", datasets);
  }
}
