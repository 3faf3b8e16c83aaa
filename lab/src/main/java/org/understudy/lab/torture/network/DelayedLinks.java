package org.understudy.lab.torture.network;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Delays the TCP streams between replicas, and between replicas and clients, by shims: the kernel at hand has nothing that does. The
 * namespace of each replica has a process that takes its connections to the others, whose names stand for loopback addresses there
 * ({@link #hosts}). Clients connect to a loopback address for each replica. Used by one thread.
 */
public final class DelayedLinks {
  /** A shim: its commands and its answers. */
  private record Shim(PrintStream in, BufferedReader out) {
    void send(String line) throws IOException {
      in.println(line);
      await();
    }

    void await() throws IOException {
      if (!"ready".equals(out.readLine())) {
        throw new IOException("A shim that delays connections has ended.");
      }
    }
  }

  private final Map<Integer, Shim> shims = new TreeMap<>();
  private final Map<Integer, DelayProxy> clients = new TreeMap<>();

  private DelayedLinks() {}

  /**
   * Starts the shims, which delay nothing so far, within an enclosure. They end with this process.
   *
   * @param peerPort where replicas listen for each other
   * @param port where they listen for clients
   */
  public static DelayedLinks start(int replicas, int peerPort, int port, long seed) throws IOException {
    DelayedLinks links = new DelayedLinks();
    for (int n = 1; n <= replicas; n++) {
      Process process = new ProcessBuilder("ip", "netns", "exec", TestNetwork.namespace(n),
          Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx48m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
          "-Djava.net.preferIPv4Stack=true", "-cp", System.getProperty("java.class.path"), DelayShim.class.getName(),
          Integer.toString(n), Integer.toString(replicas), Integer.toString(peerPort), Long.toString(seed))
          .redirectError(ProcessBuilder.Redirect.INHERIT).start();
      links.shims.put(n, new Shim(new PrintStream(process.getOutputStream(), true, StandardCharsets.US_ASCII),
          new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII))));
      links.clients.put(n, DelayProxy.open(new InetSocketAddress(local(n), port), new InetSocketAddress(TestNetwork.address(n), port),
          seed + n));
    }
    for (Shim shim : links.shims.values()) {
      shim.await();
    }
    return links;
  }

  /** The loopback address at which a shim takes connections to a replica. */
  public static String local(int replica) {
    return "127.0.1." + replica;
  }

  /** The name by which other replicas know a replica. */
  public static String name(int replica) {
    return "replica-" + replica;
  }

  /** The lines of a file of hosts for one replica. */
  public static List<String> hosts(int self, int replicas) {
    List<String> lines = new ArrayList<>(List.of("127.0.0.1 localhost"));
    for (int n = 1; n <= replicas; n++) {
      lines.add((n == self ? TestNetwork.address(n) : local(n)) + " " + name(n));
    }
    return lines;
  }

  /**
   * Delays what two replicas send to each other.
   *
   * @param there ms from the first to the second
   * @param back ms from the second to the first
   */
  public void delay(int first, int second, int there, int back, int jitter) throws IOException {
    shims.get(first).send(second + " " + there + " " + back + " " + jitter);
    shims.get(second).send(first + " " + back + " " + there + " " + jitter);
  }

  /** Delays what clients and a replica send to each other. */
  public void delayClients(int replica, int there, int back, int jitter) {
    clients.get(replica).delay(there, back, jitter);
  }

  /** Ends all delays for what is sent from now on. */
  public void clear() throws IOException {
    for (int one : shims.keySet()) {
      for (int other : shims.keySet()) {
        if (one < other) {
          delay(one, other, 0, 0, 0);
        }
      }
      delayClients(one, 0, 0, 0);
    }
  }
}
