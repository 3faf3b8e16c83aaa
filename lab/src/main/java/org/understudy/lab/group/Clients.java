package org.understudy.lab.group;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.understudy.lab.cluster.Cluster;
import org.understudy.lab.group.client.CounterClient;

/**
 * The clients of one set-up, each with a counter of its own; made when they are needed. All begin at the first replica, and
 * leave it when it redirects them. Not thread-safe.
 */
final class Clients implements AutoCloseable {
  private final Cluster cluster;
  private final List<CounterClient> clients = new ArrayList<>();

  Clients(Cluster cluster) {
    this.cluster = cluster;
  }

  List<CounterClient> first(int count) throws IOException {
    while (clients.size() < count) {
      CounterClient client = new CounterClient(cluster.services(), 1);
      clients.add(client);
      client.create();
      // A client connects for each point.
      client.disconnect();
    }
    return clients.subList(0, count);
  }

  @Override
  public void close() {
    clients.forEach(CounterClient::close);
  }
}
