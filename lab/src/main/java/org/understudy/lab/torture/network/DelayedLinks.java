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
 * Delays and narrows the TCP streams between replicas, and delays those of clients, by shims: the kernel at hand has nothing that does. The
 * namespace of each replica has a process that takes its connections to the others, whose names stand for loopback addresses there
 * ({@link #hosts}). Clients connect to a loopback address for each replica. Used by one thread.
 */
public final class DelayedLinks {
  /** A shim: its commands and its answers. */
  private record Shim(PrintStream in, BufferedReader out) {
    /** The next line of the shim. */
    String answer() throws IOException {
      String answer = out.readLine();
      if (answer == null) {
        throw new IOException("A shim that delays connections has ended.");
      }
      return answer;
    }

    String ask(String line) throws IOException {
      in.println(line);
      return answer();
    }
  }

  private final Map<Integer, Shim> shims = new TreeMap<>();
  private final Map<Integer, DelayProxy> clients = new TreeMap<>();
  private final LinkQuality standing;

  private DelayedLinks(LinkQuality standing) {
    this.standing = standing;
  }

  /**
   * Starts the shims within an enclosure. They end with this process.
   *
   * @param standing what all links between replicas are like, in each direction, but for {@link #delay}
   * @param peerPort where replicas listen for each other
   * @param port where they listen for clients
   */
  public static DelayedLinks start(int replicas, int peerPort, int port, long seed, LinkQuality standing) throws IOException {
    DelayedLinks links = new DelayedLinks(standing);
    for (int n = 1; n <= replicas; n++) {
      Process process = new ProcessBuilder("ip", "netns", "exec", TestNetwork.namespace(n),
          Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx48m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
          // Two runs at once share names of files in /tmp, and the JVM would say so in place of an answer.
          "-XX:-UsePerfData",
          "-Djava.net.preferIPv4Stack=true", "-cp", System.getProperty("java.class.path"), DelayShim.class.getName(),
          Integer.toString(n), Integer.toString(replicas), Integer.toString(peerPort), Long.toString(seed))
          .redirectError(ProcessBuilder.Redirect.INHERIT).start();
      links.shims.put(n, new Shim(new PrintStream(process.getOutputStream(), true, StandardCharsets.US_ASCII),
          new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII))));
      links.clients.put(n, DelayProxy.open(new InetSocketAddress(local(n), port), new InetSocketAddress(TestNetwork.address(n), port),
          seed + n));
    }
    for (Shim shim : links.shims.values()) {
      shim.answer();
    }
    links.clear();
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
   * Delays what two replicas send to each other by more than their link does in any case.
   *
   * @param there ms from the first to the second
   * @param back ms from the second to the first
   */
  public void delay(int first, int second, int there, int back, int jitter) throws IOException {
    String forth = standing.plus(there, jitter).word();
    String reverse = standing.plus(back, jitter).word();
    shims.get(first).ask(second + " " + forth + " " + reverse);
    shims.get(second).ask(first + " " + reverse + " " + forth);
  }

  /** Delays what clients and a replica send to each other. */
  public void delayClients(int replica, int there, int back, int jitter) {
    clients.get(replica).quality(new LinkQuality(there, jitter, false, 0), new LinkQuality(back, jitter, false, 0));
  }

  /** Ends all delays beside the standing ones for what is sent from now on. */
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

  /** All bytes that other replicas have sent to a replica, as far as its link has taken them. */
  public long bytesTo(int replica) throws IOException {
    long bytes = 0;
    for (int other : shims.keySet()) {
      if (other != replica) {
        bytes += Long.parseLong(shims.get(other).ask(Integer.toString(replica)).split(" ")[0]);
        bytes += Long.parseLong(shims.get(replica).ask(Integer.toString(other)).split(" ")[1]);
      }
    }
    return bytes;
  }
}
