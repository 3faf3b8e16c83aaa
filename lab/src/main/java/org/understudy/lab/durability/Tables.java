package org.understudy.lab.durability;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.understudy.lab.durability.Counting.Point;
import org.understudy.lab.durability.Relations.Relation;
import org.understudy.lab.report.Samples;

/** The results as CSV and for the terminal. */
final class Tables {
  private Tables() {}

  static void write(Counting counting, Path directory) throws IOException {
    List<String> lines = new ArrayList<>(List.of("setup,clients,requests,per_second,ratio_to_original,mean_us,median_us,p99_us"));
    for (CounterSetup setup : CounterSetup.values()) {
      for (int count : counting.counts()) {
        Point point = counting.of(setup, count);
        lines.add(String.format(Locale.ROOT, "%s,%d,%d,%.1f,%.3f,%s", setup.label(), count, point.samples().count(),
            point.perSecond(), counting.ratio(setup, count), times(point.samples())));
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
    write(Setup.values(), Setup::label, rounds::breakdown, directory.resolve("breakdown.csv"));
  }

  private static <S> void write(S[] setups, Function<S, String> label, Function<S, Breakdown> breakdown, Path file) throws IOException {
    List<String> lines = new ArrayList<>(List.of("setup,part,mean_us,median_us,p99_us"));
    for (S setup : setups) {
      for (Breakdown.Part part : Breakdown.Part.values()) {
        lines.add(label.apply(setup) + "," + part.label() + "," + times(breakdown.apply(setup).of(part)));
      }
    }
    Files.write(file, lines);
  }

  static void write(List<Relation> relations, Path directory) throws IOException {
    List<String> lines = new ArrayList<>(List.of("figure,relation,thesis,here"));
    for (Relation one : relations) {
      lines.add(String.join(",", one.figure(), one.name(), one.thesis(), one.here()));
    }
    Files.write(directory.resolve("relations.csv"), lines);
  }

  static String times(Samples samples) {
    return String.format(Locale.ROOT, "%.1f,%.1f,%.1f", samples.meanMicros(), samples.medianMicros(), samples.p99Micros());
  }

  static void print(Counting counting) {
    System.out.println("Figure IV.3: additions to one counter per second, and the mean round trip in µs, against the number of clients");
    System.out.printf("%-14s", "");
    counting.counts().forEach(count -> System.out.printf("%18d", count));
    System.out.println();
    for (CounterSetup setup : CounterSetup.values()) {
      System.out.printf("%-14s", setup.label());
      for (int count : counting.counts()) {
        Point point = counting.of(setup, count);
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

  /** The parts of a job's round trip at each set-up, and what puts PB+DB outside of PB and DB if it is. */
  static void printBreakdown(Rounds rounds) {
    print("Parts of the mean round trip of a job in µs, over all intervals", Setup.values(), Setup::label, rounds::breakdown);
    if (!rounds.isBetween()) {
      System.out.println(difference(rounds));
    }
  }

  static <S> void print(String title, S[] setups, Function<S, String> label, Function<S, Breakdown> breakdown) {
    System.out.println(title);
    System.out.printf("%-26s", "");
    for (S setup : setups) {
      System.out.printf("%14s", label.apply(setup));
    }
    System.out.println();
    for (Breakdown.Part part : Breakdown.Part.values()) {
      System.out.printf("%-26s", part.label());
      for (S setup : setups) {
        System.out.printf(Locale.ROOT, "%14.0f", breakdown.apply(setup).of(part).meanMicros());
      }
      System.out.println();
    }
  }

  /** By which parts PB+DB differs from the nearer one of PB and DB. */
  static String difference(Rounds rounds) {
    double both = rounds.meanMicros(Setup.PB_DB);
    Setup nearer =
        Math.abs(both - rounds.meanMicros(Setup.PB)) < Math.abs(both - rounds.meanMicros(Setup.DB)) ? Setup.PB : Setup.DB;
    StringBuilder parts = new StringBuilder();
    for (Breakdown.Part part : Breakdown.Part.values()) {
      parts.append(parts.isEmpty() ? "" : "; ").append(String.format(Locale.ROOT, "%s %+.0f", part.label(),
          rounds.breakdown(Setup.PB_DB).of(part).meanMicros() - rounds.breakdown(nearer).of(part).meanMicros()));
    }
    return String.format(Locale.ROOT, "PB+DB is not between PB and DB. It differs from %s by %+.0f µs: %s.", nearer.label(),
        both - rounds.meanMicros(nearer), parts);
  }

  static void print(List<Relation> relations) {
    System.out.printf("%-76s%-26s%s%n", "", "thesis", "here");
    relations.forEach(one -> System.out.printf("%-76s%-26s%s%n", one.figure() + " " + one.name(), one.thesis(), one.here()));
  }
}
