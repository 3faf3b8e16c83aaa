package org.understudy.lab.compare;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleConsumer;
import org.understudy.lab.cluster.Cluster;

/**
 * Table III.4: from the moment at which the new primary knows its view until the last client has been told of it. How
 * long the failure took to be noticed is not part of it, as in the paper.
 */
final class Failovers {
  private static final Duration LIMIT = Duration.ofSeconds(30);

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

  /** The first round of each is for warming up and not counted. */
  void measure(int rounds, DoubleConsumer progress) throws IOException, InterruptedException {
    int done = 0;
    int all = (rounds + 1) * Mode.TRANSFERS.size() * counts.size();
    for (int round = 0; round <= rounds; round++) {
      for (int clients : counts) {
        for (Mode mode : Mode.TRANSFERS) {
          long nanos = failover(clusters.get(mode), clients);
          if (round > 0) {
            durations.computeIfAbsent(new Cell(mode, clients), none -> new Samples()).add(nanos);
          }
          progress.accept((double) ++done / all);
        }
      }
    }
  }

  private static long failover(Cluster cluster, int clients) throws IOException, InterruptedException {
    int primary = cluster.awaitWhole();
    JsonNode before = cluster.health(primary);
    int senior = before.get("members").get(1).asInt();
    URI operations = URI.create(cluster.services().get(senior - 1).resolve("/counter/replication").toString());
    try (WaitingClients waiting = new WaitingClients(operations, clients, before.get("epoch").asLong())) {
      awaitHeld(cluster, senior, clients);
      cluster.run("pause", Integer.toString(primary));
      Instant last;
      Instant known;
      try {
        last = waiting.awaitLast(LIMIT);
        known = Instant.parse(cluster.health(senior).get("since").asText());
      } finally {
        cluster.run("resume", Integer.toString(primary));
      }
      return Duration.between(known, last).toNanos();
    }
  }

  private static void awaitHeld(Cluster cluster, int replica, int clients) throws IOException, InterruptedException {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (cluster.health(replica).get("polls").asInt() < clients) {
      if (System.nanoTime() > end) {
        throw new IOException("Replica " + replica + " does not hold the polls of " + clients + " clients.");
      }
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }
}
