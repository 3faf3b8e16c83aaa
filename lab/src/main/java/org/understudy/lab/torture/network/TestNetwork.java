package org.understudy.lab.torture.network;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A bridge, and a namespace for each replica and for the database server, with an address of its own on it. The clients are at the bridge
 * and reach each replica
 * whatever happens between replicas. The names are the same in every run: a run has a network and a file system of its own
 * ({@link Enclosure}), so runs cannot meet, and nothing remains of them.
 *
 * <p>Used by one thread.
 */
public final class TestNetwork {
  private static final String BRIDGE = "bridge";
  static final String NET = "10.77.0.";
  private static final int CLIENTS = 254;
  private static final int PERCENT = 100;
  /** The number of the database server, where those of replicas are expected. */
  public static final int DATABASE = 200;

  private final List<Integer> nodes;
  private final PacketFilter filter;

  private TestNetwork(List<Integer> nodes, PacketFilter filter) {
    this.nodes = List.copyOf(nodes);
    this.filter = filter;
  }

  /** The namespace of a replica or the database server, for {@code ip netns exec}. */
  public static String namespace(int replica) {
    return replica == DATABASE ? "database" : "replica" + replica;
  }

  /** The address of a replica or the database server. */
  static String address(int replica) {
    return NET + replica;
  }

  /**
   * Makes the network, within an enclosure.
   *
   * @param database whether there is a database server
   * @throws IOException when this machine does not permit it, with the command that failed
   */
  public static TestNetwork create(int replicas, boolean database) throws IOException, InterruptedException {
    Path names = Path.of("/run/netns");
    Files.createDirectories(names);
    // Seen within the enclosure only.
    Shell.run("mount -t tmpfs none " + names);
    Shell.run("ip link set lo up");
    Shell.run("ip link add " + BRIDGE + " type bridge");
    Shell.run("ip addr add " + NET + CLIENTS + "/24 dev " + BRIDGE);
    Shell.run("ip link set " + BRIDGE + " up");
    List<Integer> nodes = IntStream.rangeClosed(1, replicas).boxed().collect(Collectors.toList());
    if (database) {
      nodes.add(DATABASE);
    }
    TestNetwork network = new TestNetwork(nodes, PacketFilter.ofThisMachine());
    for (int n : nodes) {
      network.connect(n);
    }
    return network;
  }

  private void connect(int n) throws IOException, InterruptedException {
    Shell.run("ip netns add " + namespace(n));
    Shell.run("ip link add " + port(n) + " type veth peer name eth0 netns " + namespace(n));
    Shell.run("ip link set " + port(n) + " master " + BRIDGE + " up");
    Shell.run("ip -n " + namespace(n) + " addr add " + address(n) + "/24 dev eth0");
    Shell.run("ip -n " + namespace(n) + " link set lo up");
    Shell.run("ip -n " + namespace(n) + " link set eth0 up");
    filter.prepare(n);
  }

  private static String port(int replica) {
    return "port" + replica;
  }

  /** The program that drops packets. */
  public String filter() {
    return filter.name();
  }

  /** Whether {@link #lose} is possible. */
  public boolean canLose() {
    return filter.canLose();
  }

  /** Drops all packets of one direction. In force when this returns. */
  public void cut(int from, int to) throws IOException, InterruptedException {
    filter.drop(from, to, PERCENT);
  }

  /** Drops a share of the packets of one direction. */
  public void lose(int from, int to, int percent) throws IOException, InterruptedException {
    filter.drop(from, to, percent);
  }

  /** Limits the rate of a replica's connection, also that to clients, in each direction. */
  public void slow(int replica, int kilobits) throws IOException, InterruptedException {
    String limit = " root tbf rate " + kilobits + "kbit burst 8kb latency 500ms";
    Shell.run("tc -n " + namespace(replica) + " qdisc add dev eth0" + limit);
    Shell.run("tc qdisc add dev " + port(replica) + limit);
  }

  /** Ends {@link #slow}. */
  public void speed(int replica) throws IOException, InterruptedException {
    Shell.run("tc -n " + namespace(replica) + " qdisc del dev eth0 root");
    Shell.run("tc qdisc del dev " + port(replica) + " root");
  }

  /** Lets all packets through again. */
  public void heal() throws IOException, InterruptedException {
    for (int n : nodes) {
      filter.clear(n);
    }
  }
}
