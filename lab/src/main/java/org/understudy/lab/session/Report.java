package org.understudy.lab.session;

import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.understudy.lab.report.Chart;
import org.understudy.lab.report.Page;
import org.understudy.lab.report.Samples;

/** The page: a table of medians and ratios, a figure, and every server's numbers. */
final class Report {
  private static final Map<Setup, String> COLOURS =
      Map.of(
          Setup.NONE, "#8c8c8c", Setup.UNDERSTUDY, "#2f6db3", Setup.DELTA, "#d9822b", Setup.BACKUP, "#5b8c3a", Setup.JOURNAL, "#7d4fa3");

  private final RoundTrips roundTrips;
  private final Scale scale;

  Report(RoundTrips roundTrips, Scale scale) {
    this.roundTrips = roundTrips;
    this.scale = scale;
  }

  void write(Path file) throws IOException {
    new Page("Understudy: what a replicated HttpSession costs")
        .html("<h1>What a replicated HttpSession costs</h1>\n")
        .html("<p>" + circumstances() + "</p>" + note())
        .html("<h2>Median round trips</h2><p>µs, mean of the medians of all servers of a set-up; in small print the ratio to one "
            + "Tomcat that does not replicate.</p>")
        .html(medians())
        .figure("Ratio of the median round trip to one Tomcat that does not replicate.", ratios())
        .html("<h2>Every server</h2>")
        .html(servers())
        .write(file);
  }

  private String note() {
    String text =
        roundTrips.setups().contains(Setup.JOURNAL)
            ? "With a journal, a request is answered when the disk of every member of the view has its update."
            : "DeltaManager and BackupManager are Tomcat’s own, with channelSendOptions and mapSendOptions 6: synchronous and "
                + "acknowledged. DeltaManager copies a session to every server, BackupManager to one. Neither orders the updates of two "
                + "servers, and neither detects a repeated request. Understudy copies to every server, orders all updates, and executes "
                + "a repeated request once.";
    return "<p class=\"note\">" + text + "</p>";
  }

  private String circumstances() {
    return String.format(
        Locale.ROOT,
        "%s. One client changes one attribute with each request. Three servers of each set-up, and one that does not replicate, each "
            + "a Tomcat of its own on this machine (%d processors, Java %s, %s), which runs the client too. %,d requests of each "
            + "content at each server after %,d to warm up, in batches of %d in shuffled order.",
        LocalDate.now(ZoneId.systemDefault()), Runtime.getRuntime().availableProcessors(), System.getProperty("java.version"),
        System.getProperty("os.name"), scale.calls(), scale.warmUp(), scale.batch());
  }

  private String medians() {
    StringBuilder html = new StringBuilder("<div class=\"scroll\"><table><tr><th></th>");
    Content.ALL.forEach(content -> html.append("<th>").append(content.label()).append("</th>"));
    for (Setup setup : roundTrips.setups()) {
      html.append("</tr>\n<tr><td>").append(setup.label()).append("</td>");
      for (Content content : Content.ALL) {
        html.append(String.format(
            Locale.ROOT, "<td>%,.0f<small>%.2f</small></td>", roundTrips.micros(setup, content), roundTrips.ratio(setup, content)));
      }
    }
    return html.append("</tr></table></div>\n").toString();
  }

  private String servers() {
    StringBuilder html = new StringBuilder("<div class=\"scroll\"><table><tr><th>sessions</th><th>server</th><th>content</th>"
        + "<th>median</th><th>mean</th><th>deviation</th><th>99 %</th></tr>\n");
    for (RoundTrips.Cell cell : roundTrips.cells()) {
      Samples samples = roundTrips.at(cell);
      html.append(String.format(
          Locale.ROOT, "<tr><td>%s</td><td>%d</td><td>%s</td><td>%,.0f</td><td>%,.0f</td><td>%,.0f</td><td>%,.0f</td></tr>%n",
          cell.setup().label(), cell.server(), cell.content().label(), samples.medianMicros(), samples.meanMicros(),
          samples.deviationMicros(), samples.p99Micros()));
    }
    return html.append("</table></div>\n").toString();
  }

  private Map<String, Object> ratios() {
    List<Map<String, Object>> datasets = new ArrayList<>();
    for (Setup setup : roundTrips.setups()) {
      datasets.add(Map.of(
          "label", setup.label(),
          "data", Content.ALL.stream().map(content -> roundTrips.ratio(setup, content)).toList(),
          "backgroundColor", COLOURS.get(setup)));
    }
    return Map.of(
        "type", "bar",
        "data", Map.of("labels", Content.ALL.stream().map(Content::label).toList(), "datasets", datasets),
        "options", Map.of(
            "maintainAspectRatio", false,
            "animation", false,
            "scales", Map.of("x", Chart.axis("session", "category"), "y", Chart.axis("ratio to none", "linear"))));
  }
}
