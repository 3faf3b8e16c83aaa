package org.understudy.replication.runtime;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.core.ReplicationStrategy;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.Timing;
import org.understudy.replication.core.limit.Limits;
import org.understudy.replication.core.primarybackup.PrimaryBackup;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.runtime.handshake.Credentials;
import org.understudy.replication.runtime.handshake.GroupDescription;
import org.understudy.replication.runtime.peer.Channels;
import org.understudy.replication.runtime.peer.FrameSizes;
import org.understudy.replication.runtime.socket.SocketChannel;
import org.understudy.replication.runtime.socket.SocketSettings;
import org.understudy.test.Condition;
import org.understudy.test.network.FreePorts;

/** Replicas in this process, over real sockets and files. */
final class Group implements AutoCloseable {
  final Map<Integer, Replica> replicas = new TreeMap<>();
  /** By replica: faults within its steps, and its cut channel. */
  final Map<Integer, StepFault> faults = new TreeMap<>();
  final Map<Integer, CutChannel> channels = new TreeMap<>();
  /** By replica: its present disk. */
  final Map<Integer, HangingDisk> disks = new TreeMap<>();
  private final Map<ReplicaId, InetSocketAddress> addresses = new TreeMap<>();
  private final Path directory;
  private final Duration suspect;
  private final FrameSizes sizes;
  private final boolean journals;
  private final boolean relays;
  /** Of replicas that start from now on. */
  boolean startsEmpty;

  Group(Path directory, int size) throws IOException {
    this(directory, size, Duration.ofSeconds(1), FrameSizes.DEFAULTS);
  }

  /** Replicas that pass the messages of others on. */
  static Group withRelays(Path directory, int size, Duration suspect) throws IOException {
    return new Group(directory, size, suspect, FrameSizes.DEFAULTS, false, true);
  }

  /** Replicas with journals. */
  static Group withJournals(Path directory, int size) throws IOException {
    return new Group(directory, size, Duration.ofSeconds(1), FrameSizes.DEFAULTS, true, false);
  }

  Group(Path directory, int size, Duration suspect, FrameSizes sizes) throws IOException {
    this(directory, size, suspect, sizes, false, false);
  }

  private Group(Path directory, int size, Duration suspect, FrameSizes sizes, boolean journals, boolean relays) throws IOException {
    this.journals = journals;
    this.relays = relays;
    this.directory = directory;
    this.suspect = suspect;
    this.sizes = sizes;
    for (int i = 1; i <= size; i++) {
      addresses.put(new ReplicaId(i), FreePorts.nextAddress());
    }
    for (int i = 1; i <= size; i++) {
      start(i);
    }
  }

  void start(int number) throws IOException {
    ReplicaId self = new ReplicaId(number);
    SocketSettings socket =
        new SocketSettings(
            new Credentials(
                self,
                new GroupDescription("test", "primary-backup", Map.of(), described(addresses)),
                "a secret of the test".getBytes(StandardCharsets.UTF_8)),
            addresses,
            null,
            suspect,
            sizes.frameBytes(),
            sizes.queuedBytes());
    RuntimeSettings settings =
        new RuntimeSettings(
            self,
            List.copyOf(addresses.keySet()),
            directory(number),
            Timing.of(Duration.ofMillis(50), suspect),
            Limits.DEFAULTS,
            Duration.ofSeconds(20),
            RuntimeSettings.EXECUTION_DEADLINE,
            sizes)
            .journaled(journals)
            .startingEmpty(startsEmpty);
    StepFault fault = new StepFault();
    CutChannel channel = new CutChannel(new SocketChannel(socket), relays);
    ReplicationStrategy strategy = fault.in(new PrimaryBackup());
    HangingDisk disk = new HangingDisk(ProcessHost.open(settings, strategy));
    replicas.put(number, Replica.open(settings, strategy, Channels.toPeers(channel), disk, Rule.ALL));
    disks.put(number, disk);
    faults.put(number, fault);
    channels.put(number, channel);
  }

  Path directory(int number) {
    return directory.resolve("replica-" + number);
  }

  private static Map<ReplicaId, String> described(Map<ReplicaId, InetSocketAddress> addresses) {
    Map<ReplicaId, String> described = new TreeMap<>();
    addresses.forEach((replica, address) -> described.put(replica, address.getHostString() + ":" + address.getPort()));
    return described;
  }

  void stop(int number) {
    replicas.remove(number).close();
  }

  int awaitPrimary(int members) throws InterruptedException {
    int[] found = new int[1];
    Condition.await(
        "a primary of " + members + " members",
        () -> {
          for (Map.Entry<Integer, Replica> entry : replicas.entrySet()) {
            Replica replica = entry.getValue();
            if (replica.halted() == null
                && replica.role() == Role.PRIMARY
                && replica.view().members().size() == members) {
              found[0] = entry.getKey();
              return true;
            }
          }
          return false;
        });
    return found[0];
  }

  /** Executes a request with a state of this many bytes; returns a Reply or a Failure. */
  Object ask(int number, RequestKey key, Request.Kind kind, int stateBytes) throws Exception {
    return submit(number, key, kind, stateBytes).get(60, TimeUnit.SECONDS);
  }

  /** Like {@link #ask}, without waiting. */
  CompletableFuture<Object> submit(int number, RequestKey key, Request.Kind kind, int stateBytes) {
    Replica replica = replicas.get(number);
    TestCall call =
        new TestCall(
            token -> {
              byte[] body = Long.toString(token).getBytes(StandardCharsets.UTF_8);
              replica.executed(
                  token,
                  Map.of(),
                  new Response((byte) 1, body),
                  List.of(new StateChange("counter", new byte[stateBytes])),
                  new TestProposal());
            });
    replica.submit(new Request(key, 0, kind, null, VersionHandle.INITIAL, 0, ""), call);
    return call.answer;
  }

  /** Opens a session. */
  SessionId openSession(int number) throws Exception {
    Reply opened = (Reply) ask(number, new RequestKey.OfNonce(3, 4), Request.Kind.OPEN_SESSION, 0);
    return SessionId.ofBytes(opened.response().body());
  }

  @Override
  public void close() {
    replicas.values().forEach(Replica::close);
  }
}
