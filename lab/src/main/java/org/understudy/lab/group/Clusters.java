package org.understudy.lab.group;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import org.understudy.lab.cluster.Cluster;

/** The groups that run at the same time. {@link #close} stops them. Not thread-safe. */
final class Clusters implements AutoCloseable {
  /** Of one group. */
  static final int PORTS = 10;

  private final Map<Setup, Cluster> clusters = new EnumMap<>(Setup.class);
  private final Path script;
  private final int port;

  /**
   * None runs yet.
   *
   * @param port of the first set-up; each has {@value #PORTS}
   */
  Clusters(Path script, int port) {
    this.script = script;
    this.port = port;
  }

  /** Starts groups, and waits until they are ready. */
  void up(Collection<Setup> setups) throws IOException, InterruptedException {
    for (Setup setup : setups) {
      System.err.println("Starting " + setup.label() + " …");
      Cluster cluster = new Cluster(script, port + setup.ordinal() * PORTS, setup.replicas());
      clusters.put(setup, cluster);
      cluster.run(Map.of("JAVA_OPTS", setup.javaOptions()), setup.options().toArray(new String[0]));
    }
  }

  Cluster of(Setup setup) {
    return clusters.get(setup);
  }

  /** Those of some that run. */
  Map<Setup, Cluster> of(Collection<Setup> setups) {
    Map<Setup, Cluster> some = new EnumMap<>(clusters);
    some.keySet().retainAll(setups);
    return some;
  }

  @Override
  public void close() throws IOException {
    IOException failure = null;
    for (Cluster cluster : clusters.values()) {
      try {
        cluster.run("down");
      } catch (IOException e) {
        // The others must not run on.
        failure = e;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
