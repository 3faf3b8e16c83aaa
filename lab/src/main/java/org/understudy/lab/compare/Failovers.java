package org.understudy.lab.compare;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleConsumer;
import org.understudy.lab.cluster.Cluster;
import org.understudy.lab.report.Samples;

/**
 * Table III.4: from the moment at which the new primary knows its view until the last client has received it. Like in the
 * paper, the detection time is not included.
 */
final class Failovers {
  /** An epoch that is valid, and above every real one in this program's groups. */
  private static final long NEVER_REACHED = 1L << 40;

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private static final int HOLD_SECONDS = 60;
  private static final long SETTLED_NANOS = 300_000_000;
  private static final int MAX_REPEATS = 5;

  private record Cell(Mode mode, int clients) {}

  private final Map<Mode, Cluster> clusters;
  private final List<Integer> counts;
  private final Map<Cell, Samples> durations = new HashMap<>();

  Failovers(Map<Mode, Cluster> clusters, List<Integer> counts) {
    this.clusters = clusters;
    this.counts = counts;
  }

  List<Integer> counts() {
    return counts;
  }

  Samples durations(Mode mode, int clients) {
    return durations.get(new Cell(mode, clients));
  }

  /** Polls that end because their time is up take the same way as those that a failover ends. */
  void warmUp(int rounds, DoubleConsumer progress) throws IOException, InterruptedException {
    int max = counts.get(counts.size() - 1);
    int done = 0;
    for (int round = 0; round < rounds; round++) {
      for (Cluster cluster : clusters.values()) {
        cluster.awaitWhole();
        for (URI service : cluster.services()) {
          try (WaitingClients waiting = new WaitingClients(operations(service), max, NEVER_REACHED, 1)) {
            waiting.awaitLast(LIMIT, false);
          }
        }
        progress.accept((double) ++done / (rounds * clusters.size()));
      }
    }
  }

  /** @param uncounted rounds before those that count */
  void measure(int uncounted, int rounds, DoubleConsumer progress) throws IOException, InterruptedException {
    int done = 0;
    int all = (uncounted + rounds) * Mode.TRANSFERS.size() * counts.size();
    for (int round = -uncounted; round < rounds; round++) {
      for (int clients : counts) {
        for (Mode mode : Mode.TRANSFERS) {
          long nanos = failover(mode, clients);
          if (round >= 0) {
            durations.computeIfAbsent(new Cell(mode, clients), none -> new Samples()).add(nanos);
          }
          progress.accept((double) ++done / all);
        }
      }
    }
  }

  private long failover(Mode mode, int clients) throws IOException, InterruptedException {
    for (int attempt = 0; attempt <= MAX_REPEATS; attempt++) {
      long nanos = failover(clusters.get(mode), clients);
      if (nanos >= 0) {
        return nanos;
      }
    }
    throw new IOException("The views of group " + mode.label() + " change without cause; is the machine busy?");
  }

  /** Negative when the view changed too early: this many clients at once may slow a replica down. */
  private static long failover(Cluster cluster, int clients) throws IOException, InterruptedException {
    int primary = cluster.awaitWhole();
    JsonNode before = cluster.health(primary);
    int senior = before.get("members").get(1).asInt();
    URI operations = operations(cluster.services().get(senior - 1));
    try (WaitingClients waiting = new WaitingClients(operations, clients, before.get("epoch").asLong(), HOLD_SECONDS)) {
      if (!isHeld(cluster, senior, clients, before.get("epoch").asLong())) {
        return -1;
      }
      cluster.run("pause", Integer.toString(primary));
      Instant last;
      Instant known;
      try {
        last = waiting.awaitLast(LIMIT, true);
        known = Instant.parse(cluster.health(senior).get("since").asText());
      } finally {
        cluster.run("resume", Integer.toString(primary));
      }
      return Duration.between(known, last).toNanos();
    }
  }

  private static URI operations(URI service) {
    return service.resolve("/counter/replication");
  }

  private static boolean isHeld(Cluster cluster, int replica, int clients, long epoch)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + LIMIT.toNanos();
    int last = -1;
    long unchangedSince = 0;
    while (System.nanoTime() < end) {
      JsonNode health;
      try {
        health = cluster.health(replica);
      } catch (HttpTimeoutException e) {
        // This many clients at once may delay the answers of a busy machine.
        continue;
      }
      if (health.get("epoch").asLong() != epoch) {
        return false;
      }
      int held = health.get("polls").asInt();
      if (held != last) {
        last = held;
        unchangedSince = System.nanoTime();
      }
      // Polls of disconnected clients count until they expire.
      if (held == clients || (held > clients && System.nanoTime() - unchangedSince > SETTLED_NANOS)) {
        return true;
      }
      TimeUnit.MILLISECONDS.sleep(5);
    }
    throw new IOException("Replica " + replica + " does not hold the polls of " + clients + " clients.");
  }
}
