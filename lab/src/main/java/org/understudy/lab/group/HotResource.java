package org.understudy.lab.group;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleConsumer;
import org.understudy.lab.cluster.Cluster;
import org.understudy.lab.group.Load.Mix;
import org.understudy.lab.group.client.CounterClient;
import org.understudy.replication.api.ReadLevel;

/** Several clients, spread over the replicas, update one counter. */
final class HotResource {
  static final List<Integer> WRITERS = List.of(1, 4, 16);

  private static final Mix UPDATES = new Mix(100, ReadLevel.SESSION);

  private final Map<Setup, Map<Integer, Point>> points = new LinkedHashMap<>();

  /**
   * Measures each set-up with each number of writers, in turns.
   *
   * @throws IOException when no counter can be made, or an update was lost or executed twice
   */
  void measure(Map<Setup, Cluster> clusters, int rounds, long millis, DoubleConsumer progress)
      throws IOException, InterruptedException {
    int done = 0;
    for (int round = 0; round < rounds; round++) {
      for (int writers : WRITERS) {
        for (Map.Entry<Setup, Cluster> one : clusters.entrySet()) {
          progress.accept((double) done++ / (rounds * WRITERS.size() * clusters.size()));
          Point point =
              points.computeIfAbsent(one.getKey(), none -> new LinkedHashMap<>()).computeIfAbsent(writers, none -> new Point());
          measure(one.getValue(), one.getKey().replicas(), writers, millis, point);
        }
      }
    }
    progress.accept(1);
  }

  private static void measure(Cluster cluster, int replicas, int writers, long millis, Point point)
      throws IOException, InterruptedException {
    List<CounterClient> clients = new ArrayList<>();
    try {
      String counter = null;
      for (int i = 0; i < writers; i++) {
        CounterClient client = new CounterClient(cluster.services(), i % replicas + 1);
        clients.add(client);
        if (counter == null) {
          counter = client.create();
        } else {
          client.share(counter);
        }
      }
      Point own = new Point();
      Load.run(clients, UPDATES, millis, own);
      point.addAll(own);
      int total = clients.get(0).read(ReadLevel.LINEARIZABLE);
      if (total < own.answered() || total > own.answered() + own.failed()) {
        throw new IOException(
            "The counter is " + total + " after " + own.answered() + " updates with a response and " + own.failed() + " without.");
      }
    } finally {
      clients.forEach(CounterClient::close);
    }
  }

  Map<Setup, Map<Integer, Point>> points() {
    return points;
  }
}
