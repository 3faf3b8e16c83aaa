package org.understudy.lab.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.understudy.lab.report.Samples;

/** The results as CSV and for the terminal. */
final class Tables {
  private static final String ROUND_TRIPS =
      "transfer,bytes,median_us,mean_us,stddev_us,p99_us,ratio_to_none,paper_median_ms";
  private static final String FAILOVERS = "transfer,clients,median_us,mean_us,stddev_us,p99_us,paper_median_ms";

  private Tables() {}

  static void write(RoundTrips roundTrips, Path directory) throws IOException {
    List<String> transfer = new ArrayList<>(List.of(ROUND_TRIPS));
    List<String> client = new ArrayList<>(List.of(ROUND_TRIPS));
    for (Mode mode : Mode.values()) {
      for (int bytes : RoundTrips.BYTES) {
        if (mode != Mode.NONE) {
          Samples stable = roundTrips.stable(mode, bytes);
          double share = stable.medianMicros() / roundTrips.client(Mode.NONE, bytes).medianMicros();
          transfer.add(line(mode, bytes, stable) + String.format(Locale.ROOT, ",%.3f,", share)
              + text(Paper.stateTransfer(mode, bytes)));
        }
        client.add(line(mode, bytes, roundTrips.client(mode, bytes))
            + String.format(Locale.ROOT, ",%.3f,", roundTrips.ratio(mode, bytes))
            + text(Paper.clientRequest(mode, bytes)));
      }
    }
    Files.write(directory.resolve("state-transfer.csv"), transfer);
    Files.write(directory.resolve("client-request.csv"), client);
  }

  static void write(Failovers failovers, Path directory) throws IOException {
    List<String> failover = new ArrayList<>(List.of(FAILOVERS));
    for (Mode mode : Mode.TRANSFERS) {
      for (int clients : failovers.counts()) {
        failover.add(line(mode, clients, failovers.durations(mode, clients)) + "," + text(Paper.failover(clients)));
      }
    }
    Files.write(directory.resolve("failover.csv"), failover);
  }

  private static String line(Mode mode, int size, Samples samples) {
    return String.format(Locale.ROOT, "%s,%d,%.1f,%.1f,%.1f,%.1f", mode.label(), size, samples.medianMicros(),
        samples.meanMicros(), samples.deviationMicros(), samples.p99Micros());
  }

  private static String text(Double number) {
    return number == null ? "" : number.toString();
  }

  /** The medians, for the eye. */
  static void print(RoundTrips roundTrips) {
    System.out.println("Median round trip of a client's request in µs, its ratio to none; in brackets the paper's ratio");
    System.out.printf("%-14s", "");
    RoundTrips.BYTES.forEach(bytes -> System.out.printf("%20s", String.format("%,d B", bytes)));
    System.out.println();
    for (Mode mode : Mode.values()) {
      System.out.printf("%-14s", mode.label());
      for (int bytes : RoundTrips.BYTES) {
        Double paper = Paper.ratio(mode, bytes);
        System.out.printf("%20s", String.format(Locale.ROOT, "%.0f  %.2f (%s)",
            roundTrips.client(mode, bytes).medianMicros(), roundTrips.ratio(mode, bytes), paper == null ? "1" : paper));
      }
      System.out.println();
    }
    System.out.println("Median of a state update's way to the backups and back in µs");
    for (Mode mode : Mode.TRANSFERS) {
      System.out.printf("%-14s", mode.label());
      RoundTrips.BYTES.forEach(bytes ->
          System.out.printf(Locale.ROOT, "%20.0f", roundTrips.stable(mode, bytes).medianMicros()));
      System.out.println();
    }
  }

  static void print(Failovers failovers) {
    System.out.println("Median time until the last of so many clients knew of a failover, in ms");
    System.out.printf("%-14s", "");
    failovers.counts().forEach(clients -> System.out.printf("%10d", clients));
    System.out.println();
    for (Mode mode : Mode.TRANSFERS) {
      System.out.printf("%-14s", mode.label());
      failovers.counts().forEach(clients ->
          System.out.printf(Locale.ROOT, "%10.2f", failovers.durations(mode, clients).medianMicros() / 1e3));
      System.out.println();
    }
  }
}
