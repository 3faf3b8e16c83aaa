package org.understudy.lab.notify;

import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.understudy.lab.report.Chart;
import org.understudy.lab.report.Page;

/** The page: the values of the tables, and how they grow with the number of subscribers. */
final class Report {
  private static final String BLUE = "#2f6db3";
  private static final String ORANGE = "#d9822b";
  private static final String GREEN = "#5b8c3a";
  private static final String GREY = "#8c8c8c";

  private final List<Deliveries> deliveries;
  private final List<Failovers> failovers;
  private final Scale scale;

  Report(List<Deliveries> deliveries, List<Failovers> failovers, Scale scale) {
    this.deliveries = deliveries;
    this.failovers = failovers;
    this.scale = scale;
  }

  void write(Path file) throws IOException {
    new Page("Understudy: one update, many subscribers")
        .html("<h1>One update, many subscribers</h1>\n<p>" + circumstances() + "</p>\n")
        .html("<h2>Until they have it</h2>")
        .figure("From the sending of the request until healthy consumers have its notification, both axes logarithmic.",
            arrivals())
        .html("<div class=\"scroll\"><table><tr><th>subscribers</th><th>stalled</th><th>median, ms</th><th>99 %, ms</th>"
            + "<th>most, ms</th><th>last consumer, median, ms</th><th>updates</th></tr>\n")
        .html(rows(deliveries, of -> String.format(Locale.ROOT, "%,d|%d|%.2f|%.2f|%.2f|%.2f|%d",
            of.subscribers(), of.stalled(), of.arrivals().medianMicros() / 1e3, of.arrivals().p99Micros() / 1e3,
            of.arrivals().maxMicros() / 1e3, of.last().medianMicros() / 1e3, scale.updates(of.subscribers()))))
        .html("</table></div>\n<h2>What it costs the request</h2>")
        .figure("Median round trip of the request that causes the notification, and of the same request to a counter "
            + "without subscribers, in turns.", requests())
        .html("<div class=\"scroll\"><table><tr><th>subscribers</th><th>with, µs</th><th>without, µs</th>"
            + "<th>ratio</th></tr>\n")
        .html(rows(deliveries, of -> String.format(Locale.ROOT, "%,d|%,.0f|%,.0f|%.2f", of.subscribers(),
            of.request().medianMicros(), of.without().medianMicros(), of.ratio())))
        .html("</table></div>\n<h2>What they take up at the primary</h2>\n<p class=\"note\">Reachable heap after a full "
            + "collection, with the consumers’ connections open, less the same before they subscribed; omitted for fewer "
            + "than " + Tables.FEWEST_WEIGHED + " subscriptions. Threads of the operating system.</p>\n"
            + "<div class=\"scroll\"><table><tr><th>subscribers</th><th>heap a subscription, B</th><th>threads before</th>"
            + "<th>threads</th></tr>\n")
        .html(rows(deliveries, of -> String.format(Locale.ROOT, "%,d|%s|%d|%d", of.subscribers(),
            Tables.heap(of).isEmpty() ? "–" : Tables.heap(of), of.threadsBefore(), of.threads())))
        .html("</table></div>\n<h2>Failing over with them</h2>\n<p class=\"note\">From kill -9 of the primary until the "
            + "client has the answer to its next request, and until every healthy consumer has that request’s "
            + "notification, without any new subscription. Repeated: notifications that a consumer had already.</p>\n")
        .figure("Medians, both axes logarithmic.", failoverChart())
        .html("<div class=\"scroll\"><table><tr><th>subscribers</th><th>answer, median, ms</th><th>most, ms</th>"
            + "<th>notified, median, ms</th><th>most, ms</th><th>repeated</th></tr>\n")
        .html(rows(failovers, of -> String.format(Locale.ROOT, "%,d|%,.1f|%,.1f|%,.1f|%,.1f|%d", of.subscribers(),
            of.answered().medianMicros() / 1e3, of.answered().maxMicros() / 1e3, of.notified().medianMicros() / 1e3,
            of.notified().maxMicros() / 1e3, of.repeats())))
        .html("</table></div>\n")
        .write(file);
  }

  private String circumstances() {
    return String.format(Locale.ROOT,
        "%s. Three replicas, each a Tomcat of its own, and the consumers, all in one other process, on this machine (%d "
            + "processors, Java %s, %s). One consumer in a hundred takes its messages and never answers; it is not in the "
            + "figures, its neighbours are. %,d updates with one subscriber warm each group up; %d failovers of each "
            + "number.",
        LocalDate.now(ZoneId.systemDefault()), Runtime.getRuntime().availableProcessors(), System.getProperty("java.version"),
        System.getProperty("os.name"), scale.warmUp(), scale.failovers());
  }

  private static <T> String rows(List<T> of, Function<T, String> cells) {
    StringBuilder html = new StringBuilder();
    of.forEach(row -> html.append("<tr><td>").append(cells.apply(row).replace("|", "</td><td>")).append("</td></tr>\n"));
    return html.toString();
  }

  // ------------------------------------------------------------------------------------------------ charts

  private Map<String, Object> arrivals() {
    return Chart.logarithmic("subscribers", "ms", List.of(
        Chart.line("median", BLUE,
            points(deliveries, Deliveries::subscribers, of -> of.arrivals().medianMicros() / 1e3)),
        Chart.line("99 %", ORANGE, points(deliveries, Deliveries::subscribers, of -> of.arrivals().p99Micros() / 1e3)),
        Chart.line("most", GREY, points(deliveries, Deliveries::subscribers, of -> of.arrivals().maxMicros() / 1e3))));
  }

  private Map<String, Object> requests() {
    return Chart.logarithmic("subscribers", "median, µs", List.of(
        Chart.line("with subscribers", BLUE,
            points(deliveries, Deliveries::subscribers, of -> of.request().medianMicros())),
        Chart.line("without", GREY, points(deliveries, Deliveries::subscribers, of -> of.without().medianMicros()))));
  }

  private Map<String, Object> failoverChart() {
    return Chart.logarithmic("subscribers", "median, ms", List.of(
        Chart.line("answer", BLUE, points(failovers, Failovers::subscribers, of -> of.answered().medianMicros() / 1e3)),
        Chart.line("all notified", GREEN,
            points(failovers, Failovers::subscribers, of -> of.notified().medianMicros() / 1e3))));
  }

  private static <T> List<Map<String, Object>> points(List<T> of, ToDoubleFunction<T> x, ToDoubleFunction<T> y) {
    List<Map<String, Object>> points = new ArrayList<>();
    of.forEach(point -> points.add(Map.of("x", x.applyAsDouble(point), "y", y.applyAsDouble(point))));
    return points;
  }
}
