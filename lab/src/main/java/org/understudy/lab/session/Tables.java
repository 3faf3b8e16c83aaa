package org.understudy.lab.session;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.understudy.lab.report.Samples;

/** The results as CSV and for the terminal. */
final class Tables {
  private Tables() {}

  static void write(RoundTrips roundTrips, Path directory) throws IOException {
    Files.write(directory.resolve("sessions.csv"), lines(roundTrips));
  }

  /** One line for each session. The ratio is that of the session's server to the Tomcat that does not replicate. */
  static List<String> lines(RoundTrips roundTrips) {
    List<String> lines = new ArrayList<>();
    lines.add("sessions,server,attributes,bytes,calls,median_us,mean_us,stddev_us,p99_us,ratio_to_none");
    for (RoundTrips.Cell cell : roundTrips.cells()) {
      Samples samples = roundTrips.at(cell);
      lines.add(
          String.format(
              Locale.ROOT, "%s,%d,%d,%d,%d,%.1f,%.1f,%.1f,%.1f,%.3f", cell.setup().label(), cell.server(), cell.content().attributes(),
              cell.content().bytes(), samples.count(), samples.medianMicros(), samples.meanMicros(), samples.deviationMicros(),
              samples.p99Micros(), samples.medianMicros() / roundTrips.micros(Setup.NONE, cell.content())));
    }
    return lines;
  }

  /** The medians, for the eye. */
  static void print(RoundTrips roundTrips) {
    System.out.println("Median round trip of a request that changes its session, in µs, mean of the servers; its ratio to none");
    System.out.printf("%-14s", "");
    Content.ALL.forEach(content -> System.out.printf("%16s", content.label()));
    System.out.println();
    for (Setup setup : roundTrips.setups()) {
      System.out.printf("%-14s", setup.label());
      for (Content content : Content.ALL) {
        System.out.printf("%16s", cell(roundTrips, setup, content));
      }
      System.out.println();
    }
  }

  static String cell(RoundTrips roundTrips, Setup setup, Content content) {
    return String.format(Locale.ROOT, "%.0f  %.2f", roundTrips.micros(setup, content), roundTrips.ratio(setup, content));
  }
}
