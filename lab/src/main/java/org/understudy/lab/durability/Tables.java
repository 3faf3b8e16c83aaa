package org.understudy.lab.durability;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.understudy.lab.durability.Relations.Relation;
import org.understudy.lab.durability.Throughput.Point;
import org.understudy.lab.report.Samples;

/** The results as CSV and for the terminal. */
final class Tables {
  private Tables() {}

  static void write(Throughput throughput, Path directory) throws IOException {
    List<String> lines = new ArrayList<>(List.of("setup,clients,requests,per_second,ratio_to_original,mean_us,median_us,p99_us"));
    for (Setup setup : Setup.OF_ONE_OBJECT) {
      for (int count : throughput.counts()) {
        Point point = throughput.of(setup, count);
        lines.add(String.format(Locale.ROOT, "%s,%d,%d,%.1f,%.3f,%s", setup.label(), count, point.samples().count(),
            point.perSecond(), throughput.ratio(setup, count), times(point.samples())));
      }
    }
    Files.write(directory.resolve("throughput.csv"), lines);
  }

  static void write(Rounds rounds, Path directory) throws IOException {
    List<String> lines =
        new ArrayList<>(List.of("setup,interval_s,longest_pause_us,requests,ratio_to_original,mean_us,median_us,p99_us"));
    for (Setup setup : Setup.values()) {
      for (int seconds : rounds.intervals()) {
        Samples samples = rounds.of(setup, seconds);
        lines.add(String.format(Locale.ROOT, "%s,%d,%d,%d,%.3f,%s", setup.label(), seconds, rounds.pauseNanos(seconds) / 1_000,
            samples.count(), rounds.ratio(setup, seconds), times(samples)));
      }
    }
    Files.write(directory.resolve("rounds.csv"), lines);
  }

  static void write(List<Relation> relations, Path directory) throws IOException {
    List<String> lines = new ArrayList<>(List.of("figure,relation,thesis,here"));
    for (Relation one : relations) {
      lines.add(String.join(",", one.figure(), one.name(), one.thesis(), one.here()));
    }
    Files.write(directory.resolve("relations.csv"), lines);
  }

  private static String times(Samples samples) {
    return String.format(Locale.ROOT, "%.1f,%.1f,%.1f", samples.meanMicros(), samples.medianMicros(), samples.p99Micros());
  }

  static void print(Throughput throughput) {
    System.out.println("Figure IV.3: updates of one object per second, and the mean round trip in µs, against the number of clients");
    System.out.printf("%-10s", "");
    throughput.counts().forEach(count -> System.out.printf("%18d", count));
    System.out.println();
    for (Setup setup : Setup.OF_ONE_OBJECT) {
      System.out.printf("%-10s", setup.label());
      for (int count : throughput.counts()) {
        Point point = throughput.of(setup, count);
        System.out.printf(Locale.ROOT, "%10.0f%8.0f", point.perSecond(), point.samples().meanMicros());
      }
      System.out.println();
    }
  }

  static void print(Rounds rounds) {
    System.out.println("Figure IV.6: mean round trip of a job in µs, against the longest pause in seconds of the thesis");
    System.out.printf("%-10s", "");
    rounds.intervals().forEach(seconds -> System.out.printf("%10d", seconds));
    System.out.println();
    for (Setup setup : Setup.values()) {
      System.out.printf("%-10s", setup.label());
      rounds.intervals().forEach(seconds -> System.out.printf(Locale.ROOT, "%10.0f", rounds.of(setup, seconds).meanMicros()));
      System.out.println();
    }
  }

  static void print(List<Relation> relations) {
    System.out.printf("%-76s%-26s%s%n", "", "thesis", "here");
    relations.forEach(one -> System.out.printf("%-76s%-26s%s%n", one.figure() + " " + one.name(), one.thesis(), one.here()));
  }
}
