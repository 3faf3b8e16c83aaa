package org.understudy.replication.runtime.socket;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Timing;
import org.understudy.replication.core.limit.Limits;
import org.understudy.replication.core.primarybackup.PrimaryBackup;
import org.understudy.replication.runtime.Replica;
import org.understudy.replication.runtime.RuntimeSettings;
import org.understudy.replication.runtime.handshake.Credentials;
import org.understudy.replication.runtime.handshake.GroupDescription;
import org.understudy.replication.runtime.peer.Channels;
import org.understudy.test.Condition;
import org.understudy.test.network.FaultyProxy;
import org.understudy.test.network.FreePorts;

/** Three replicas whose network drops packets for a while, without closing a connection. */
class PartitionTest {
  private static final Duration SUSPICION = Duration.ofSeconds(1);

  @TempDir Path directory;
  private final Map<ReplicaId, InetSocketAddress> addresses = new TreeMap<>();
  private final Map<ReplicaId, Replica> replicas = new TreeMap<>();
  /** By the two replicas of the link, the dialer first. */
  private final Map<List<ReplicaId>, FaultyProxy> proxies = new HashMap<>();

  @BeforeEach
  void open() throws Exception {
    for (int i = 1; i <= 3; i++) {
      addresses.put(new ReplicaId(i), FreePorts.nextAddress());
    }
    for (ReplicaId self : addresses.keySet()) {
      replicas.put(self, replica(self));
    }
  }

  private Replica replica(ReplicaId self) throws IOException {
    Map<ReplicaId, InetSocketAddress> reached = new TreeMap<>(addresses);
    for (ReplicaId peer : addresses.keySet()) {
      if (!peer.equals(self)) {
        FaultyProxy proxy = new FaultyProxy(addresses.get(peer));
        proxies.put(List.of(self, peer), proxy);
        reached.put(peer, proxy.address());
      }
    }
    Map<ReplicaId, String> listed = new TreeMap<>();
    addresses.forEach((replica, address) -> listed.put(replica, "127.0.0.1:" + address.getPort()));
    Credentials credentials =
        new Credentials(
            self, new GroupDescription("g", "primary-backup", Map.of(), listed), "the secret of a group".getBytes(StandardCharsets.UTF_8));
    return Replica.open(
        new RuntimeSettings(
            self,
            List.copyOf(addresses.keySet()),
            directory.resolve("replica-" + self),
            Timing.of(Duration.ofMillis(50), SUSPICION),
            Limits.DEFAULTS,
            Duration.ofSeconds(20)),
        new PrimaryBackup(),
        Channels.toPeers(
            new SocketChannel(new SocketSettings(credentials, reached, null, SUSPICION, 64 << 20, 64 << 20))));
  }

  @AfterEach
  void close() throws IOException {
    replicas.values().forEach(Replica::close);
    for (FaultyProxy proxy : proxies.values()) {
      proxy.close();
    }
  }

  @Test
  void isolatedReplicaReturnsAlthoughItsConnectionsStayOpen() {
    Condition.await("a view of three", () -> members() == 3);
    ReplicaId primary = replicas.get(new ReplicaId(1)).view().members().get(0);
    cut(primary, true);
    Condition.await("a view of two", () -> members() == 2);
    cut(primary, false);
    Condition.await("a view of three again", () -> members() == 3);
    assertTrue(proxies.values().stream().mapToInt(FaultyProxy::connections).sum() > 6, "connections were made anew");
    Condition.await("two threads of each replica that receive", () -> receiving() == 6);
    replicas.values().forEach(replica -> assertNull(replica.halted()));
  }

  private void cut(ReplicaId replica, boolean on) {
    proxies.forEach((between, proxy) -> {
      if (between.contains(replica)) {
        proxy.cut(on);
      }
    });
  }

  /** The primary of the view of the highest epoch, if two replicas have it. */
  private int members() {
    for (Replica replica : replicas.values()) {
      long same = replicas.values().stream().filter(other -> other.view().equals(replica.view())).count();
      if (same >= Math.min(replica.view().members().size(), 3) && replica.view().members().size() >= 2) {
        return replica.view().members().size();
      }
    }
    return 0;
  }

  /** Threads of all three replicas. */
  private static long receiving() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("understudy-from-"))
        .count();
  }
}
