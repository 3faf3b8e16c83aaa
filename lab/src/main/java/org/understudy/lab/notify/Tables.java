package org.understudy.lab.notify;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The results as CSV and for the terminal. */
final class Tables {
  /** A replica's reachable heap varies by a megabyte for other reasons: fewer subscriptions are lost in that. */
  static final int FEWEST_WEIGHED = 1_000;

  private Tables() {}

  static void write(List<Deliveries> deliveries, Path directory) throws IOException {
    List<String> notify =
        new ArrayList<>(
            List.of(
                "subscribers,stalled,median_us,p99_us,max_us,request_median_us,request_without_us,ratio,"
                    + "heap_bytes_per_subscription,threads"));
    for (Deliveries of : deliveries) {
      notify.add(String.format(Locale.ROOT, "%d,%d,%.1f,%.1f,%.1f,%.1f,%.1f,%.3f,%s,%d", of.subscribers(), of.stalled(),
          of.arrivals().medianMicros(), of.arrivals().p99Micros(), of.arrivals().maxMicros(),
          of.request().medianMicros(), of.without().medianMicros(), of.ratio(), heap(of), of.threads()));
    }
    Files.write(directory.resolve("notify.csv"), notify);
  }

  static void writeFailovers(List<Failovers> failovers, Path directory) throws IOException {
    List<String> failover = new ArrayList<>(List.of("subscribers,median_ms,max_ms"));
    for (Failovers of : failovers) {
      failover.add(String.format(Locale.ROOT, "%d,%.1f,%.1f", of.subscribers(), of.answered().medianMicros() / 1e3,
          of.answered().maxMicros() / 1e3));
    }
    Files.write(directory.resolve("failover-subscriptions.csv"), failover);
  }

  /** Empty when there are too few to tell. */
  static String heap(Deliveries of) {
    return of.subscribers() < FEWEST_WEIGHED ? "" : Long.toString(of.heapBytes());
  }

  static void print(List<Deliveries> deliveries) {
    System.out.println("Until the healthy consumers have an update's notification, and what it costs");
    System.out.printf("%11s%8s%12s%10s%10s%13s%12s%7s%10s%15s%n", "subscribers", "stalled", "median ms", "p99 ms",
        "max ms", "request µs", "without µs", "ratio", "heap B", "threads");
    for (Deliveries of : deliveries) {
      System.out.printf(Locale.ROOT, "%11d%8d%12.2f%10.2f%10.2f%13.0f%12.0f%7.2f%10s%15s%n", of.subscribers(),
          of.stalled(), of.arrivals().medianMicros() / 1e3, of.arrivals().p99Micros() / 1e3,
          of.arrivals().maxMicros() / 1e3, of.request().medianMicros(), of.without().medianMicros(), of.ratio(),
          heap(of).isEmpty() ? "-" : heap(of), of.threadsBefore() + " -> " + of.threads());
    }
  }

  static void printFailovers(List<Failovers> failovers) {
    System.out.println("From the kill of the primary, ms, until the client has its answer and until all are notified");
    System.out.printf("%11s%15s%12s%18s%15s%10s%n", "subscribers", "answer median", "answer max", "notified median",
        "notified max", "repeats");
    for (Failovers of : failovers) {
      System.out.printf(Locale.ROOT, "%11d%15.1f%12.1f%18.1f%15.1f%10d%n", of.subscribers(),
          of.answered().medianMicros() / 1e3, of.answered().maxMicros() / 1e3, of.notified().medianMicros() / 1e3,
          of.notified().maxMicros() / 1e3, of.repeats());
    }
  }
}
