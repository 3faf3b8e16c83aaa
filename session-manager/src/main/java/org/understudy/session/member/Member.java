package org.understudy.session.member;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Capability;
import org.understudy.replication.core.ReadConfirmation;
import org.understudy.replication.core.ReplicationStrategy;
import org.understudy.replication.core.record.RecordKind;
import org.understudy.replication.runtime.Replica;
import org.understudy.replication.runtime.RuntimeSettings;
import org.understudy.replication.runtime.handshake.Credentials;
import org.understudy.replication.runtime.handshake.GroupDescription;
import org.understudy.replication.runtime.handshake.ServedService;
import org.understudy.replication.runtime.management.ReplicaControl;
import org.understudy.replication.runtime.management.ReplicaHealth;
import org.understudy.replication.runtime.peer.Channels;
import org.understudy.replication.runtime.peer.FrameSizes;
import org.understudy.replication.runtime.socket.SocketChannel;
import org.understudy.replication.runtime.socket.SocketSettings;
import org.understudy.replication.runtime.strategy.Installed;
import org.understudy.replication.runtime.strategy.Requirements;
import org.understudy.replication.runtime.strategy.UnavailableException;

/** The replica that keeps the sessions of one web application. */
public final class Member implements AutoCloseable {
  private static final Duration REQUEST_DEADLINE = Duration.ofSeconds(20);
  /** Announced to other replicas: one with another form is refused. */
  private static final String FORM = "1";

  private final Replica replica;
  private final byte[] secret;
  private final ReplicaId self;
  private final ReplicaHealth health;
  private final ReplicaControl control;

  private Member(Replica replica, byte[] secret, ReplicaId self, ReplicaHealth health, ReplicaControl control) {
    this.replica = replica;
    this.secret = secret;
    this.self = self;
    this.health = health;
    this.control = control;
  }

  /**
   * Opens the replica, which joins its group when {@link #join} is called.
   *
   * @param compared settings that must be equal at every replica
   * @throws SettingsException when a setting is missing or invalid
   * @throws IOException when an address or the directory cannot be used
   */
  public static Member open(MemberSettings settings, SortedMap<String, String> compared) throws SettingsException, IOException {
    byte[] secret = settings.secretBytes();
    ReplicaId self = settings.self();
    Map<ReplicaId, InetSocketAddress> peers = settings.addresses(self);
    ReplicationStrategy strategy = strategy(settings);
    RuntimeSettings runtime =
        new RuntimeSettings(
            self,
            new ArrayList<>(peers.keySet()),
            settings.path(),
            settings.timing(),
            settings.limits(),
            REQUEST_DEADLINE,
            RuntimeSettings.EXECUTION_DEADLINE,
            FrameSizes.DEFAULTS)
            .with(settings.group(), ReadConfirmation.LEASE)
            .journaled(settings.journal())
            .startingEmpty(settings.startsEmpty());
    SocketSettings sockets =
        new SocketSettings(
            credentials(settings, strategy, self, peers, secret, compared),
            peers,
            settings.tls(),
            settings.suspicion(),
            FrameSizes.DEFAULTS.frameBytes(),
            FrameSizes.DEFAULTS.queuedBytes());
    SocketChannel channel = new SocketChannel(sockets);
    Replica replica = Replica.prepare(runtime, strategy, Channels.toPeers(channel));
    ReplicaHealth health = new ReplicaHealth(self, replica, channel::refusals);
    ReplicaControl control = ReplicaControl.register(settings.group(), self, settings.timing().suspectNanos(), replica);
    return new Member(replica, secret, self, health, control);
  }

  private static ReplicationStrategy strategy(MemberSettings settings) throws SettingsException {
    try {
      ReplicationStrategy strategy = Installed.in(Member.class.getClassLoader()).strategy(settings.strategy());
      Set<Capability> offered = EnumSet.of(Capability.PEER_CHANNEL, Capability.STABLE_STORAGE, Capability.STATE_CAPTURE);
      Requirements.check(strategy, offered);
      checkRestart(settings, strategy);
      if (!strategy.requires().contains(Capability.PEER_CHANNEL)) {
        throw new SettingsException(
            "The attribute strategy of the Manager element is " + settings.strategy() + ", which does not replicate.");
      }
      return strategy;
    } catch (UnavailableException e) {
      throw new SettingsException(
          "The attribute strategy of the Manager element is " + settings.strategy() + ": " + e.getMessage(), e);
    }
  }

  private static void checkRestart(MemberSettings settings, ReplicationStrategy strategy) throws SettingsException {
    if (settings.journal() && strategy.records().stream().noneMatch(RecordKind::isAppended)) {
      throw new SettingsException("The attribute journal of the Manager element is disk, but the strategy " + strategy.name()
          + " keeps no journal. Set it to none, or strategy to another one.");
    }
    if (settings.startsEmpty() && !strategy.canStartEmpty()) {
      throw new SettingsException("The attribute restart of the Manager element is empty, but the strategy " + strategy.name()
          + " cannot start without its state. Set it to wait, or strategy to another one.");
    }
  }

  private static Credentials credentials(
      MemberSettings settings,
      ReplicationStrategy strategy,
      ReplicaId self,
      Map<ReplicaId, InetSocketAddress> peers,
      byte[] secret,
      SortedMap<String, String> compared) {
    Map<ReplicaId, String> addresses = new TreeMap<>();
    peers.forEach((replica, address) -> addresses.put(replica, address.getHostString() + ":" + address.getPort()));
    List<ServedService> served =
        List.of(new ServedService("sessions", announced(settings, strategy, compared), "", new TreeMap<>()));
    GroupDescription description = new GroupDescription(settings.group(), settings.strategy(), Map.of(), addresses);
    return new Credentials(self, description, secret, () -> served);
  }

  /** What replicas compare when they connect. */
  static SortedMap<String, String> announced(
      MemberSettings settings, ReplicationStrategy strategy, SortedMap<String, String> compared) {
    SortedMap<String, String> announced = new TreeMap<>(compared);
    announced.put("form", FORM);
    if (strategy.needsEqualJournals()) {
      announced.put("journal", settings.journal() ? "disk" : "none");
    }
    return announced;
  }

  public Replica replica() {
    return replica;
  }

  public ReplicaId self() {
    return self;
  }

  public ReplicaHealth health() {
    return health;
  }

  /** The secret of the group, which authenticates cookies too. */
  public byte[] secret() {
    return secret.clone();
  }

  /** Joins the group. Called once, when the server accepts requests. */
  public void join() {
    replica.join();
  }

  @Override
  public void close() {
    control.close();
    replica.close();
  }
}
