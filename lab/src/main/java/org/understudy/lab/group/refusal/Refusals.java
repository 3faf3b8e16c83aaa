package org.understudy.lab.group.refusal;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.understudy.lab.group.client.CounterClient;
import org.understudy.thread.DaemonThreads;

/** Requests for which servers accept no connection, for each kind of server and number of clients. Not thread-safe. */
public final class Refusals {
  /** Descriptors of this process for other things than clients. */
  private static final int OTHER_DESCRIPTORS = 200;
  private static final int PREPARING_THREADS = 8;

  private final Map<Connector, Map<Integer, RefusalPoint>> points = new EnumMap<>(Connector.class);

  /**
   * Measures servers of one kind, which run, with each number of clients. Each client has a counter of its own, and an equal share of the
   * clients begins at each replica, as stubs do. Prints a line for each point.
   *
   * @param services the URL of the service at every replica
   * @param millis for which clients begin requests at each point
   * @throws IOException when the clients cannot be made; the points that were measured before stay
   */
  public void measure(Connector connector, List<URI> services, List<Integer> counts, long millis) throws IOException, InterruptedException {
    List<ShortClient> clients = prepare(services, Math.min(Collections.max(counts), maxClients()));
    for (int count : counts) {
      if (count > clients.size()) {
        System.err.println(count + " clients need more file descriptors than this process may have: see ulimit -n. They are left out.");
        continue;
      }
      RefusalPoint point = ShortConnections.run(clients.subList(0, count), millis);
      points.computeIfAbsent(connector, none -> new TreeMap<>()).put(count, point);
      System.err.println(line(connector, count, point));
    }
  }

  /** What one point has shown, in one line. */
  static String line(Connector connector, int count, RefusalPoint point) {
    String reasons = point.failures().isEmpty() ? "" : " " + point.failures();
    return String.format(
        Locale.ROOT, "%s, %,d clients: %.2f %% refused, %.2f %% failed%s, %,.0f responses a second", connector.label(), count,
        point.refusedPercent(), point.failedPercent(), reasons, point.throughput());
  }

  /** By the number of clients, of the servers that were measured. */
  public Map<Connector, Map<Integer, RefusalPoint>> points() {
    return points;
  }

  private static int maxClients() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
        ? (int) Math.min(Integer.MAX_VALUE, system.getMaxFileDescriptorCount() - system.getOpenFileDescriptorCount() - OTHER_DESCRIPTORS)
        : Integer.MAX_VALUE;
  }

  /** Makes clients, a few at a time, with a session and a counter each; this warms the servers up too. */
  private static List<ShortClient> prepare(List<URI> services, int count) throws IOException, InterruptedException {
    ExecutorService threads =
        Executors.newFixedThreadPool(PREPARING_THREADS, task -> DaemonThreads.daemon("refusals-prepare", task));
    try {
      List<Future<ShortClient>> made = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        int first = i % services.size() + 1;
        made.add(threads.submit(() -> client(services, first)));
      }
      List<ShortClient> clients = new ArrayList<>();
      for (Future<ShortClient> one : made) {
        clients.add(one.get());
      }
      return clients;
    } catch (ExecutionException e) {
      throw new IOException("A client could not open its session and make its counter: " + e.getCause().getMessage(), e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }

  private static ShortClient client(List<URI> services, int first) throws IOException {
    try (CounterClient client = new CounterClient(services, first)) {
      client.create();
      return new ShortClient(client.session(), services, first);
    }
  }
}
