package org.understudy.lab.group;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.understudy.lab.group.Load.Mix;
import org.understudy.lab.group.Pair.Kind;
import org.understudy.lab.group.refusal.Connector;
import org.understudy.lab.group.refusal.RefusalPoint;
import org.understudy.lab.report.PairRatios;
import org.understudy.lab.report.Samples;

/** The results as CSV and for the terminal. */
final class Tables {
  private Tables() {}

  static void write(Results results, Path directory) throws IOException {
    if (results.figures != null) {
      Files.write(directory.resolve("throughput.csv"), throughput(results.figures.points()));
    }
    if (results.refusals != null) {
      Files.write(directory.resolve("refusals.csv"), refusals(results.refusals.points()));
    }
    if (results.latencies != null) {
      Files.write(directory.resolve("latency.csv"), latency(results.latencies));
      Files.write(directory.resolve("latency-ratios.csv"), latencyRatios(results.latencies));
    }
    if (results.hot != null) {
      Files.write(directory.resolve("one-resource.csv"), oneResource(results.hot.points()));
    }
    if (!results.traffic.isEmpty()) {
      Files.write(directory.resolve("bytes.csv"), bytes(results.traffic, results.sequencer));
    }
  }

  static List<String> throughput(Map<Figures.Cell, Point> points) {
    List<String> lines =
        new ArrayList<>(
            List.of("setup,updates_percent,read_level,clients,requests_per_s,ratio_to_none,refused_percent,failed_percent,"
                + "median_us,p99_us"));
    points.forEach((cell, point) -> {
      Point none = points.get(new Figures.Cell(Setup.NONE, cell.mix(), cell.clients()));
      lines.add(
          String.format(
              Locale.ROOT, "\"%s\",%d,%s,%d,%.0f,%s,%.2f,%.2f,%s", cell.setup().label(), cell.mix().writes(), level(cell.mix()),
              cell.clients(), point.throughput(),
              none == null ? "" : String.format(Locale.ROOT, "%.3f", point.throughput() / none.throughput()),
              point.refusedPercent(), point.failedPercent(), times(point.samples())));
    });
    return lines;
  }

  static List<String> refusals(Map<Connector, Map<Integer, RefusalPoint>> points) {
    List<String> lines =
        new ArrayList<>(List.of("setup,clients,requests,refused_percent,failed_percent,failures,requests_per_s,median_us,p99_us"));
    points.forEach((connector, byClients) -> byClients.forEach((clients, point) ->
        lines.add(
            String.format(
                Locale.ROOT, "\"%s\",%d,%d,%.2f,%.2f,\"%s\",%.0f,%s", connector.label(), clients, point.requests(),
                point.refusedPercent(), point.failedPercent(), failures(point), point.throughput(), times(point.answered())))));
    return lines;
  }

  private static String failures(RefusalPoint point) {
    return point.failures().entrySet().stream()
        .map(failure -> failure.getKey().replace('"', ' ') + " " + failure.getValue())
        .collect(Collectors.joining("; "));
  }

  static String level(Mix mix) {
    return mix.level().name().toLowerCase(Locale.ROOT);
  }

  /** Every pair. */
  static List<String> latency(Latencies latencies) {
    List<String> lines =
        new ArrayList<>(
            List.of("request,pair_with,pair,setup,replica,median_us,p99_us,ratio_to_none,balancing_us,consistency_us,service_us,"
                + "update_us"));
    for (Kind kind : Kind.values()) {
      for (Setup group : latencies.groups()) {
        List<Pair> pairs = latencies.pairs(group);
        for (int i = 0; i < pairs.size(); i++) {
          String begin = String.format(Locale.ROOT, "%s,\"%s\",%d", kind.label(), group.label(), i + 1);
          Pair pair = pairs.get(i);
          Latencies.servers(group, (setup, replica) -> {
            Breakdown at = pair.at(setup, replica, kind);
            lines.add(
                String.format(
                    Locale.ROOT, "%s,\"%s\",%d,%s,%.3f,%.1f,%.1f,%.1f,%.1f", begin, setup.label(), replica, times(at.client()),
                    pair.ratio(setup, replica, kind), at.balancing().medianMicros(), at.consistency().medianMicros(),
                    at.service().medianMicros(), at.update().medianMicros()));
          });
        }
      }
    }
    if (latencies.spreadAlone() != null) {
      lines.add("multicast,,,\"" + SpreadAlone.LABEL + "\",," + times(latencies.spreadAlone()) + ",,,,,");
    }
    return lines;
  }

  /** The mean over the replicas of each group, related to the server without replication. */
  static List<String> latencyRatios(Latencies latencies) {
    List<String> lines = new ArrayList<>(List.of("request,setup,pairs,median_ratio_to_none,lowest,highest,each"));
    for (Kind kind : Kind.values()) {
      for (Setup group : latencies.groups()) {
        PairRatios ratios = latencies.meanRatios(group, kind);
        lines.add(
            String.format(
                Locale.ROOT, "%s,\"%s\",%d,%.3f,%.3f,%.3f,%s", kind.label(), group.label(), ratios.each().size(), ratios.median(),
                ratios.lowest(), ratios.highest(), ratios));
      }
    }
    return lines;
  }

  static List<String> oneResource(Map<Setup, Map<Integer, Point>> points) {
    List<String> lines =
        new ArrayList<>(List.of("setup,writers,updates_per_s,executions_per_update,failed_percent,median_us,p99_us"));
    points.forEach((setup, byWriters) -> byWriters.forEach((writers, point) ->
        lines.add(
            String.format(
                Locale.ROOT, "\"%s\",%d,%.0f,%.3f,%.2f,%s", setup.label(), writers, point.throughput(), point.executionsPerUpdate(),
                point.failedPercent(), times(point.samples())))));
    return lines;
  }

  static List<String> bytes(Map<Integer, Map<PeerTraffic.Link, Double>> traffic, int sequencer) {
    List<String> lines = new ArrayList<>(List.of("called,sequencer,from,to,bytes_per_update"));
    traffic.forEach((called, links) -> links.forEach((link, bytes) ->
        lines.add(String.format(Locale.ROOT, "%d,%d,%d,%d,%.0f", called, sequencer, link.from(), link.to(), bytes))));
    return lines;
  }

  private static String times(Samples samples) {
    return String.format(Locale.ROOT, "%.1f,%.1f", samples.medianMicros(), samples.p99Micros());
  }

  // ------------------------------------------------------------------------------------------------ for the terminal

  static void print(Results results) {
    if (results.latencies != null) {
      print(results.latencies);
    }
    if (results.figures != null) {
      print(results.figures, results.scale);
    }
    if (results.refusals != null) {
      System.out.println("Clients that connect for each update: percentage without a connection, and without a result");
      results.refusals.points().forEach((connector, byClients) -> byClients.forEach((clients, point) ->
          System.out.printf(
              Locale.ROOT, "%-24s %,7d clients %8.2f %8.2f  %s%n", connector.label(), clients, point.refusedPercent(),
              point.failedPercent(), failures(point))));
    }
    if (results.hot != null) {
      System.out.println("One resource: updates a second, executions an update");
      results.hot.points().forEach((setup, byWriters) -> byWriters.forEach((writers, point) ->
          System.out.printf(Locale.ROOT, "%-18s %3d writers %,10.0f %8.2f%n", setup.label(), writers, point.throughput(),
              point.executionsPerUpdate())));
    }
    results.traffic.forEach((called, links) -> {
      System.out.printf("Bytes an update when replica %d is called; replica %d is the sequencer%n", called, results.sequencer);
      links.forEach((link, bytes) -> System.out.printf(Locale.ROOT, "  %d to %d %8.0f%n", link.from(), link.to(), bytes));
    });
  }

  /** What one pair has shown, in one line. */
  static String pair(Pair pair) {
    StringBuilder line = new StringBuilder(pair.group().label()).append(", relative to none");
    for (Kind kind : Kind.values()) {
      line.append(String.format(Locale.ROOT, ", %s %.2f", kind.label(), pair.meanRatio(kind)));
    }
    return line.append('.').toString();
  }

  private static void print(Latencies latencies) {
    System.out.println("Median round trip in µs, its ratio to none; in brackets load balancing, before the service, in it, after it.");
    System.out.println("Each group was measured beside a server without replication, in fresh pairs. Ratios are medians of all pairs.");
    for (Kind kind : Kind.values()) {
      for (Latencies.Row row : latencies.rows(kind)) {
        Breakdown at = row.all();
        System.out.printf(
            Locale.ROOT, "%-18s %-20s at %d %8.0f %6.2f  (%.1f, %.0f, %.0f, %.0f)%n", kind.label(), row.setup().label(), row.replica(),
            at.client().medianMicros(), row.ratio(), at.balancing().medianMicros(), at.consistency().medianMicros(),
            at.service().medianMicros(), at.update().medianMicros());
        if (row.setup() == row.group() && row.replica() == row.group().replicas()) {
          PairRatios ratios = latencies.meanRatios(row.group(), kind);
          System.out.printf(
              Locale.ROOT, "%-18s %-20s mean %13.2f  each pair: %s%n", kind.label(), row.group().label(), ratios.median(), ratios);
        }
      }
    }
    if (latencies.spreadAlone() != null) {
      System.out.printf(Locale.ROOT, "%-18s %-20s      %8.0f%n", "multicast", SpreadAlone.LABEL, latencies.spreadAlone().medianMicros());
    }
  }

  private static void print(Figures figures, Scale scale) {
    for (Mix mix : Figures.MIXES) {
      System.out.printf("Requests a second, %d %% updates, reads %s; clients:", mix.writes(), level(mix));
      scale.clients().forEach(count -> System.out.printf("%9d", count));
      System.out.println();
      for (Setup setup : Setup.OF_FIGURES) {
        List<Point> line = scale.clients().stream().map(count -> figures.point(setup, mix, count)).toList();
        if (line.stream().allMatch(Objects::isNull)) {
          continue;
        }
        System.out.printf("%-56s", setup.label());
        line.forEach(point -> System.out.print(point == null ? "        -" : String.format(Locale.ROOT, "%9.0f", point.throughput())));
        System.out.println();
      }
    }
  }
}
