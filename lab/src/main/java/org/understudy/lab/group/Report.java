package org.understudy.lab.group;

import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.understudy.lab.group.Load.Mix;
import org.understudy.lab.group.Pair.Kind;
import org.understudy.lab.report.Chart;
import org.understudy.lab.report.Page;

/** The page: Figures 7 and 8 redrawn by Chart.js, and the tables. */
final class Report {
  private static final List<String> COLOURS = List.of("#8c8c8c", "#c0c0c0", "#d9822b", "#2f6db3", "#8fb8e0");

  private final Results results;

  Report(Results results) {
    this.results = results;
  }

  void write(Path file) throws IOException {
    Page page = new Page("Understudy: what a group of replicas that all serve costs and gains")
        .html("<h1>What a group of replicas that all serve costs and gains</h1>\n")
        .html("<p>" + circumstances() + "</p><p class=\"note\">Figures and sections are those of Bartoli, Prica and Antoniutti di "
            + "Muro, 2005: three replicas and one without replication on a machine each, 75 or 175 threads of Tomcat 4, and "
            + "clients on a machine of their own.</p>");
    if (results.figures != null) {
      figures(page);
    }
    if (results.refusals != null) {
      page.html("<h2>Figure 8 (a): refused connections</h2>")
          .figure("Percentage of updates without a connection against the number of clients, which connect for each update. Tomcat's "
              + "limits: 8,192 connections, a queue of 100; tuned, as conf/server.xml: 16,384 and 1,024. Linux drops what the queue "
              + "cannot take, so one that takes over a second is refused. A third of the clients begins at each replica of a group.",
              refusals())
          .html(table(Tables.refusals(results.refusals.points())));
    }
    if (results.latencies != null) {
      page.html("<h2>§5.3: one request</h2><p>Median round trips in µs of one client with the stub. Each group "
          + "was measured beside a server without replication while no other one ran, in pairs of fresh servers; ratios are medians of the "
          + "pairs, and of the mean over the replicas that were called. 2005: 25 ms without and 36 ms "
          + "with replication, a ratio of 1.44; of the 11 ms, 1.38 in load balancing, 1.55 in consistency, 8.07 in update.</p>")
          .html(latencies());
    }
    if (results.hot != null) {
      page.html("<h2>One resource</h2><p>Several clients, spread over the replicas, update one counter.</p>")
          .html(table(Tables.oneResource(results.hot.points())));
    }
    if (!results.traffic.isEmpty()) {
      page.html("<h2>§5.1: bytes</h2><p>Bytes that replicas send each other for one update of a counter, with frames and tags. 2005: "
          + "11,160 bytes at first, 810 after serialisation by hand.</p>")
          .html(table(Tables.bytes(results.traffic, results.sequencer)));
    }
    page.write(file);
  }

  private String circumstances() {
    return String.format(Locale.ROOT,
        "%s. Each replica is a Tomcat of its own on this machine (%d processors, Java %s, %s), which runs the clients too. Without "
            + "replication is strategy none. Each point is %d × %,d ms; clients send the next request when they have a response.",
        LocalDate.now(ZoneId.systemDefault()), Runtime.getRuntime().availableProcessors(), System.getProperty("java.version"),
        System.getProperty("os.name"), results.scale.rounds(), results.scale.millis());
  }

  // ------------------------------------------------------------------------------------------------ figures

  private void figures(Page page) throws IOException {
    Mix updates = Figures.MIXES.get(0);
    page.html("<h2>Figure 7: updates only</h2>")
        .figure("Requests a second against the number of clients, updates only. One entry: all clients at one replica. Tuned: "
            + "8 threads of Tomcat instead of 200.", chart("requests a second", Setup.OF_FIGURES, updates, Point::throughput))
        .html("<h2>Figure 8 (b): updates and reads</h2>");
    for (Mix mix : Figures.MIXES.subList(1, Figures.MIXES.size())) {
      page.figure("Requests a second against the number of clients: " + mix.writes() + " % updates, reads with the level "
          + Tables.level(mix) + ".",
          chart("requests a second", List.of(Setup.NONE, Setup.ONE_ENTRY, Setup.BALANCED), mix, Point::throughput));
    }
    page.html(table(Tables.throughput(results.figures.points())));
  }

  private Map<String, Object> chart(String unit, List<Setup> setups, Mix mix, ToDoubleFunction<Point> value) {
    List<Map<String, Object>> lines = new ArrayList<>();
    for (Setup setup : setups) {
      List<Map<String, Object>> points = new ArrayList<>();
      for (int count : results.scale.clients()) {
        Point point = results.figures.point(setup, mix, count);
        if (point != null) {
          points.add(Map.of("x", count, "y", value.applyAsDouble(point)));
        }
      }
      lines.add(Chart.line(setup.label(), COLOURS.get(setup.ordinal()), points));
    }
    return chart(unit, "linear", lines);
  }

  private Map<String, Object> refusals() {
    List<Map<String, Object>> lines = new ArrayList<>();
    results.refusals.points().forEach((connector, byClients) -> {
      List<Map<String, Object>> points = new ArrayList<>();
      byClients.forEach((count, point) -> points.add(Map.of("x", count, "y", point.refusedPercent())));
      lines.add(Chart.line(connector.label(), COLOURS.get(connector.ordinal()), points));
    });
    return chart("percent", "logarithmic", lines);
  }

  private static Map<String, Object> chart(String unit, String clients, List<Map<String, Object>> lines) {
    Map<String, Object> y = new LinkedHashMap<>(Chart.axis(unit, "linear"));
    y.put("beginAtZero", true);
    return Map.of(
        "type", "line",
        "data", Map.of("datasets", lines),
        "options", Map.of(
            "maintainAspectRatio", false,
            "animation", false,
            "scales", Map.of("x", Chart.axis("clients", clients), "y", y)));
  }

  // ------------------------------------------------------------------------------------------------ tables

  private String latencies() {
    Latencies latencies = results.latencies;
    List<String> lines =
        new ArrayList<>(List.of("request,set-up,called,median,99 %,ratio to none,balancing,consistency,service,update,rest"));
    for (Kind kind : Kind.values()) {
      for (Latencies.Row row : latencies.rows(kind)) {
        Breakdown at = row.all();
        double inside =
            at.balancing().medianMicros() + at.consistency().medianMicros() + at.service().medianMicros() + at.update().medianMicros();
        String beside = row.setup() == row.group() ? "" : " beside " + row.group().label();
        lines.add(String.format(
            Locale.ROOT, "%s,\"%s\",replica %d,%.0f,%.0f,%.2f,%.1f,%.0f,%.0f,%.0f,%.0f", kind.label(), row.setup().label() + beside,
            row.replica(), at.client().medianMicros(), at.client().p99Micros(), row.ratio(), at.balancing().medianMicros(),
            at.consistency().medianMicros(), at.service().medianMicros(), at.update().medianMicros(),
            at.client().medianMicros() - inside));
      }
    }
    if (latencies.spreadAlone() != null) {
      lines.add(
          String.format(Locale.ROOT, "multicast,\"%s\",,%.0f,%.0f,,,,,,", SpreadAlone.LABEL, latencies.spreadAlone().medianMicros(),
              latencies.spreadAlone().p99Micros()));
    }
    return table(Tables.latencyRatios(latencies)) + table(lines);
  }

  /** The first line is the head. */
  private static String table(List<String> lines) {
    StringBuilder html = new StringBuilder("<div class=\"scroll\"><table>");
    for (int i = 0; i < lines.size(); i++) {
      String tag = i == 0 ? "th" : "td";
      html.append("<tr>");
      for (String cell : lines.get(i).split(",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)", -1)) {
        String text = cell.replace("\"", "").replace("_us", ", µs").replace('_', ' ');
        html.append('<').append(tag).append('>').append(text).append("</").append(tag).append('>');
      }
      html.append("</tr>\n");
    }
    return html.append("</table></div>\n").toString();
  }
}
