package org.understudy.lab.torture.replica;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.understudy.lab.torture.network.DelayedLinks;
import org.understudy.lab.torture.network.LinkQuality;
import org.understudy.lab.torture.network.Machines;

/** The group. Its replicas are numbered from 1. Used by one thread. */
public final class Replicas {
  private static final int PEER_PORT = 29080;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Machines machines;
  private final List<ReplicaProcess> processes = new ArrayList<>();
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(Duration.ofSeconds(1)).build();

  /**
   * Writes the files of a group.
   *
   * @param folder of the run
   * @param settings lines of understudy.properties, KEY=VALUE
   * @param delayed whether connections pass {@link #delayedLinks}
   */
  public Replicas(int count, Machines machines, Installation installation, Path folder, List<String> settings, boolean delayed)
      throws IOException {
    this.machines = machines;
    List<String> configuration = new ArrayList<>();
    configuration.add("understudy.replicas=" + all(count, n -> root(n, false) + "/counter"));
    configuration.add(
        "understudy.peers=" + all(count, n -> (delayed ? DelayedLinks.name(n) : machines.address(n)) + ":" + PEER_PORT));
    if (delayed) {
      configuration.add("understudy.client.urls=" + all(count, n -> root(n, true) + "/counter"));
    }
    configuration.add("understudy.peers.plain=accepted");
    configuration.add("understudy.secret=" + UUID.randomUUID());
    configuration.addAll(settings);
    Path archive = installation.complete(folder);
    for (int n = 1; n <= count; n++) {
      List<String> hosts = delayed ? DelayedLinks.hosts(n, count) : List.of();
      Path base = folder.resolve(Integer.toString(n));
      processes.add(new ReplicaProcess(n, machines, installation, archive, base, configuration, hosts));
    }
  }

  /** Starts the shims through which connections between replicas, and of clients, pass. Within an enclosure that has a network. */
  public static DelayedLinks delayedLinks(int count, long seed, LinkQuality standing) throws IOException {
    return DelayedLinks.start(count, PEER_PORT, ReplicaProcess.PORT, seed, standing);
  }

  private String root(int replica, boolean delayed) {
    return "http://" + (delayed ? DelayedLinks.local(replica) : machines.address(replica)) + ":" + ReplicaProcess.PORT;
  }

  private static String all(int count, java.util.function.IntFunction<String> value) {
    return IntStream.rangeClosed(1, count).mapToObj(n -> n + "=" + value.apply(n)).collect(Collectors.joining(","));
  }

  public int count() {
    return processes.size();
  }

  public ReplicaProcess replica(int number) {
    return processes.get(number - 1);
  }

  /** SIGKILL of all that run. */
  public void kill() throws IOException, InterruptedException {
    for (ReplicaProcess process : processes) {
      if (process.alive()) {
        process.kill();
      }
    }
  }

  /** The addresses of the counter at all replicas. */
  public List<URI> services(boolean delayed) {
    return IntStream.rangeClosed(1, count()).mapToObj(n -> URI.create(root(n, delayed) + "/counter/services/CounterService")).toList();
  }

  /** The number of the primary of the newest view, of which there is one under every strategy; 1 if none is known. */
  public int primary() throws InterruptedException {
    int primary = 1;
    long newest = -1;
    for (int n = 1; n <= count(); n++) {
      try {
        JsonNode health = health(n);
        if ("primary".equalsIgnoreCase(health.path("role").asText()) && health.path("epoch").asLong() > newest) {
          newest = health.path("epoch").asLong();
          primary = n;
        }
      } catch (IOException e) {
        // It does not answer now.
      }
    }
    return primary;
  }

  /**
   * Waits until all replicas serve in one view and updates are executed.
   *
   * @return what each replica reports, if they are not after this time; empty if they are
   */
  public Map<Integer, String> awaitWhole(Duration patience) throws InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    while (true) {
      Map<Integer, String> reports = new TreeMap<>();
      if (whole(reports)) {
        return Map.of();
      }
      if (System.nanoTime() > end) {
        return reports;
      }
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }

  private boolean whole(Map<Integer, String> reports) throws InterruptedException {
    Set<Long> epochs = new HashSet<>();
    boolean ready = true;
    boolean writable = false;
    for (int n = 1; n <= count(); n++) {
      try {
        JsonNode health = health(n);
        reports.put(n, health.toString());
        ready &= health.path("ready").asBoolean();
        writable |= health.path("writable").asBoolean();
        epochs.add(health.path("epoch").asLong());
      } catch (IOException e) {
        reports.put(n, replica(n).alive() ? "no answer: " + e : "its process has ended; see " + replica(n).log());
        ready = false;
      }
    }
    return ready && writable && epochs.size() == 1;
  }

  /** Returns the health page of a replica. Thread-safe. */
  JsonNode health(int replica) throws IOException, InterruptedException {
    URI health = URI.create(root(replica, false) + "/counter/health/live");
    HttpRequest request = HttpRequest.newBuilder(health).timeout(Duration.ofSeconds(2)).build();
    return JSON.readTree(http.send(request, HttpResponse.BodyHandlers.ofByteArray()).body());
  }
}
