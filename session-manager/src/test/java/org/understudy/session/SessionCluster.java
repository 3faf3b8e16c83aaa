package org.understudy.session;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.understudy.test.Condition;
import org.understudy.test.network.FreePorts;

/** Tomcats that replicate the sessions of one web application. */
final class SessionCluster implements AutoCloseable {
  private final List<SessionServer> servers = new ArrayList<>();
  private final IntFunction<SessionServer> made;

  SessionCluster(int size, Path directory, Consumer<Context> application) throws LifecycleException {
    this(size, directory, application, settings -> {});
  }

  SessionCluster(int size, Path directory, Consumer<Context> application, Consumer<ReplicatedSessionManager> settings)
      throws LifecycleException {
    StringBuilder peers = new StringBuilder();
    for (int replica = 1; replica <= size; replica++) {
      peers.append(replica == 1 ? "" : ",").append(replica).append("=127.0.0.1:").append(FreePorts.next());
    }
    made = replica -> new SessionServer(replica, peers.toString(), directory, application, settings);
    for (int replica = 1; replica <= size; replica++) {
      servers.add(made.apply(replica));
    }
    for (SessionServer server : servers) {
      server.start();
    }
    Condition.await(
        "a view of all replicas",
        () -> servers.stream().allMatch(server -> server.isActive() && server.replica().view().members().size() == size));
  }

  /** The server with this number, from 1. */
  SessionServer server(int replica) {
    return servers.get(replica - 1);
  }

  /** Starts a server that was killed, on its directory. */
  void restart(int replica) throws LifecycleException {
    servers.set(replica - 1, made.apply(replica));
    server(replica).start();
  }

  /** Kills all servers, and starts them again on their directories. */
  void restartAll() throws LifecycleException {
    for (SessionServer server : servers) {
      server.kill();
    }
    for (int replica = 1; replica <= servers.size(); replica++) {
      restart(replica);
    }
  }

  /** Waits for a view of this many replicas at the servers. */
  void awaitView(int members, int... replicas) {
    Condition.await(
        "a view of " + members + " replicas",
        () -> {
          for (int replica : replicas) {
            if (!server(replica).isActive() || server(replica).replica().view().members().size() != members) {
              return false;
            }
          }
          return true;
        });
  }

  @Override
  public void close() throws LifecycleException {
    for (SessionServer server : servers) {
      server.close();
    }
  }
}
