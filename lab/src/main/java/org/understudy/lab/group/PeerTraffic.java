package org.understudy.lab.group;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.understudy.lab.cluster.Cluster;
import org.understudy.lab.group.client.CounterClient;

/**
 * The bytes that the replicas of a group send each other for one update, as Linux counts them for each TCP connection
 * ({@code ss -ti}): messages with their frames and tags, without headers of TCP.
 */
final class PeerTraffic {
  private static final int UPDATES = 2_000;
  private static final Pattern CONNECTION = Pattern.compile("\\S+:(\\d+)\\s+\\S+:(\\d+)\\s.*pid=(\\d+).*");
  private static final Pattern SENT = Pattern.compile("bytes_sent:(\\d+)");

  /** From one replica to another one. */
  record Link(int from, int to) implements Comparable<Link> {
    @Override
    public int compareTo(Link other) {
      return Integer.compare(10 * from + to, 10 * other.from + other.to);
    }
  }

  private PeerTraffic() {}

  /**
   * Measures sequential updates of one client at a replica.
   *
   * @param peerPorts replica N receives from other replicas at this port + N
   * @return bytes for each update on each link; empty where they cannot be measured
   */
  static Map<Link, Double> perUpdate(Cluster cluster, int peerPorts, int replicas, int entry)
      throws IOException, InterruptedException {
    try (CounterClient client = new CounterClient(cluster.services(), entry)) {
      client.create();
      Map<Link, Long> before = sent(cluster, peerPorts, replicas);
      for (int i = 0; i < UPDATES; i++) {
        client.add();
      }
      Map<Link, Double> bytes = new TreeMap<>();
      sent(cluster, peerPorts, replicas)
          .forEach((link, sent) -> bytes.put(link, (double) (sent - before.getOrDefault(link, 0L)) / UPDATES));
      return bytes;
    }
  }

  private static Map<Link, Long> sent(Cluster cluster, int peerPorts, int replicas) throws IOException, InterruptedException {
    Map<Long, Integer> numbers = new TreeMap<>();
    for (int n = 1; n <= replicas; n++) {
      numbers.put(cluster.pid(n), n);
    }
    Process process;
    try {
      process = new ProcessBuilder("ss", "-tinpHO", "state", "established").redirectErrorStream(true).start();
    } catch (IOException e) {
      // Not a Linux with iproute2.
      return Map.of();
    }
    String listed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(10, TimeUnit.SECONDS) || process.exitValue() != 0) {
      return Map.of();
    }
    return sent(listed.lines().toList(), numbers, peerPorts, replicas);
  }

  /** @param numbers the replicas by the numbers of their processes */
  static Map<Link, Long> sent(List<String> lines, Map<Long, Integer> numbers, int peerPorts, int replicas) {
    Map<Link, Long> sent = new TreeMap<>();
    for (String line : lines) {
      Matcher connection = CONNECTION.matcher(line);
      Matcher bytes = SENT.matcher(line);
      if (!connection.find() || !bytes.find()) {
        continue;
      }
      int to = Integer.parseInt(connection.group(2)) - peerPorts;
      Integer from = numbers.get(Long.parseLong(connection.group(3)));
      if (from != null && to >= 1 && to <= replicas) {
        sent.merge(new Link(from, to), Long.parseLong(bytes.group(1)), Long::sum);
      }
    }
    return sent;
  }
}
