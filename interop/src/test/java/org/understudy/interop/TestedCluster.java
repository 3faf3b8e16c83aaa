package org.understudy.interop;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.understudy.lab.cluster.Cluster;
import org.understudy.test.network.ClusterPorts;
import org.understudy.test.strategy.Strategies;

/** Three replicas in processes of their own, with the strategy of the running tests. */
final class TestedCluster {
  static final int REPLICAS = 3;

  private final Cluster cluster;
  private int killed;

  /** Starts the replicas of a service of this project. */
  TestedCluster(String service, String endpoint) throws IOException, InterruptedException {
    cluster = new Cluster(Path.of("../scripts/cluster"), ClusterPorts.next(), REPLICAS, service, endpoint);
    cluster.run("up", "--service", service, "--replicas", Integer.toString(REPLICAS), "--strategy", Strategies.current());
  }

  /** Starts a group of counters. */
  static TestedCluster ofCounters() throws IOException, InterruptedException {
    return new TestedCluster("counter", "CounterService");
  }

  /**
   * Waits until every replica serves, after it has started the one that a test before has killed, and returns the primary or the
   * sequencer.
   */
  int awaitWhole() throws IOException, InterruptedException {
    if (killed != 0) {
      cluster.run("restart", Integer.toString(killed));
      killed = 0;
    }
    return cluster.awaitWhole();
  }

  /** Kills the primary or the sequencer, and waits until another replica is that. */
  void killLeader(int leader) throws IOException, InterruptedException {
    killed = leader;
    cluster.run("kill", Integer.toString(leader));
    cluster.awaitFailover(leader);
  }

  /** The service's URL at every replica, beginning with one that a client is to prefer. */
  List<String> services(int first) {
    return cluster.services(first).stream().map(URI::toString).toList();
  }

  /** The same for its WSDL. */
  List<String> wsdls(int first) {
    return services(first).stream().map(service -> service + "?wsdl").toList();
  }

  /** Stops the replicas. */
  void down() throws IOException, InterruptedException {
    cluster.run("down");
  }
}
