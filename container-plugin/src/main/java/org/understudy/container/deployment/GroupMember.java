package org.understudy.container.deployment;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.understudy.container.attachment.AttachedEndpoint;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.configuration.ConfigurationException;
import org.understudy.container.configuration.Key;
import org.understudy.container.health.Health;
import org.understudy.container.peer.CallChannel;
import org.understudy.container.peer.NotificationChannel;
import org.understudy.container.request.ExecutionWatch;
import org.understudy.container.transaction.CoordinatedTransactions;
import org.understudy.container.transaction.OpenTransactions;
import org.understudy.container.transaction.PeerTransactions;
import org.understudy.outbox.Outbox;
import org.understudy.replication.core.Capability;
import org.understudy.replication.core.MessageKind;
import org.understudy.replication.core.ReplicationStrategy;
import org.understudy.replication.core.channel.GroupChannel;
import org.understudy.replication.core.limit.KeyKind;
import org.understudy.replication.core.limit.KeyKinds;
import org.understudy.replication.runtime.Replica;
import org.understudy.replication.runtime.RuntimeSettings;
import org.understudy.replication.runtime.channel.GroupChannelException;
import org.understudy.replication.runtime.channel.GroupChannelProvider;
import org.understudy.replication.runtime.channel.GroupChannelSettings;
import org.understudy.replication.runtime.handshake.Credentials;
import org.understudy.replication.runtime.management.ReplicaControl;
import org.understudy.replication.runtime.peer.Channels;
import org.understudy.replication.runtime.peer.FrameSizes;
import org.understudy.replication.runtime.peer.PeerChannel;
import org.understudy.replication.runtime.peer.ReopenedChannel;
import org.understudy.replication.runtime.socket.SocketChannel;
import org.understudy.replication.runtime.socket.SocketSettings;
import org.understudy.replication.runtime.strategy.Installed;
import org.understudy.replication.runtime.strategy.Requirements;
import org.understudy.replication.runtime.strategy.UnavailableException;
import org.understudy.thread.ThreadLabel;
import org.understudy.wsrf.notification.Notifications;
import org.understudy.wsrf.resource.Resources;
import org.understudy.wsrf.servicegroup.ServiceGroup;

/** The replica of one group in a web application, with its services and all that processes their requests. */
final class GroupMember implements Joining.Member, AutoCloseable {
  /** Disables the timeout of the runtime, because {@link ExecutionWatch} reports slow executions in more detail. */
  private static final Duration NO_TIMEOUT = Duration.ofDays(36_500);

  private final Configuration configuration;
  private final Closer closer;
  private final Replica replica;
  private final Channels channels;
  private final Publication publication;
  private final RequestPath requests;
  private final AttachedServices services;
  private final Health health;
  private final WarmUp warmUp;
  private volatile boolean unused;

  /** @param channels of the replica, which closes them */
  private GroupMember(PublicationContext context, SharedParts shared, Publication publication, Channels channels)
      throws ConfigurationException {
    this.configuration = context.configuration();
    this.closer = context.closer();
    this.replica = context.replica();
    this.warmUp = context.warmUp();
    this.channels = channels;
    this.publication = publication;
    this.requests = new RequestPath(configuration, shared, replica, closer);
    this.services = new AttachedServices(context, requests, shared.paths());
    if (publication != null) {
      context.served().add(publication.path());
      requests.add(publication);
    }
    // Why replicas are not connected, when one refuses the other.
    Supplier<List<String>> refusals = channels.peers() == null ? List::of : channels.peers()::refusals;
    this.health = new Health(configuration, replica, requests.meters(), refusals);
  }

  /** What the plugin itself publishes in a group. */
  @FunctionalInterface
  interface Publishing {
    /** Returns null when the plugin publishes nothing itself. */
    Publication on(PublicationContext context) throws ReflectiveOperationException, ConfigurationException;
  }

  /**
   * Opens the replica, which does not join its group yet.
   *
   * @param shared with the other groups of the web application
   * @param published the capabilities that the publication offers to a strategy
   * @param more the kinds of keys of this publication only
   * @throws IOException when an address or a directory cannot be used
   */
  static GroupMember open(
      Configuration configuration,
      SharedParts shared,
      Set<Capability> published,
      List<KeyKind> more,
      Publishing publishing)
      throws IOException, ConfigurationException, ReflectiveOperationException {
    ReplicationStrategy strategy = configuration.strategy();
    ServedServices served = new ServedServices(configuration);
    RuntimeSettings settings =
        new RuntimeSettings(
            configuration.self(),
            configuration.replicas(),
            configuration.directory(),
            configuration.timing(),
            configuration.limits().with(kinds(configuration, more)),
            configuration.requestDeadline(),
            NO_TIMEOUT,
            FrameSizes.DEFAULTS)
            .with(configuration.group(), configuration.readConfirmation())
            .labelled(configuration.localGroup())
            .journaled(configuration.keepsJournal())
            .startingEmpty(configuration.startsEmpty());
    Closer closer = new Closer();
    String label = ThreadLabel.set(configuration.localGroup());
    try {
      Channels channels = channels(configuration, published, served);
      Replica replica = Replica.prepare(settings, strategy, channels);
      closer.add(replica::close);
      if (channels.peers() != null) {
        long suspectNanos = configuration.timing().suspectNanos();
        closer.add(ReplicaControl.register(configuration.group(), configuration.self(), suspectNanos, replica)::close);
      }
      PublicationContext context = new PublicationContext(configuration, replica, served, closer, new WarmUp());
      return new GroupMember(context, shared, publishing.on(context), channels);
    } catch (ReflectiveOperationException | RuntimeException | ConfigurationException | IOException | Error e) {
      // Also after an Error, for example a missing class of the service: the next deployment needs the ports.
      closer.close();
      throw e;
    } finally {
      ThreadLabel.set(label);
    }
  }

  /** Returns the kinds of keys, which determine the limit against which stored state counts. */
  private static KeyKinds kinds(Configuration configuration, List<KeyKind> more) {
    List<KeyKind> kinds = new ArrayList<>();
    kinds.add(KeyKind.counted("", "resources", configuration.resources(), Key.RESOURCES.property()));
    kinds.add(KeyKind.common(Resources.SERVICE));
    kinds.addAll(Resources.kinds());
    kinds.add(ServiceGroup.kind(configuration.groupEntries(), Key.GROUP_ENTRIES.property()));
    kinds.addAll(
        Notifications.kinds(
            configuration.subscriptions(), Key.SUBSCRIPTIONS.property(), configuration.pullPoints(),
            Key.PULL_POINTS.property()));
    kinds.addAll(Outbox.kinds(configuration.outgoingCalls(), Key.OUTGOING_CALLS.property()));
    kinds.addAll(OpenTransactions.kinds());
    kinds.addAll(CoordinatedTransactions.kinds());
    kinds.add(PeerTransactions.kind());
    kinds.addAll(more);
    return new KeyKinds(kinds);
  }

  /** Opens the channels that the strategy requires, after checking that it can run here. */
  private static Channels channels(Configuration configuration, Set<Capability> published, ServedServices served)
      throws IOException, ConfigurationException {
    ReplicationStrategy strategy = configuration.strategy();
    Set<Capability> offered = EnumSet.copyOf(published);
    offered.addAll(configuration.capabilities());
    try {
      GroupChannelProvider group =
          Installed.in(Deployment.class.getClassLoader()).groupChannel(strategy, configuration.channel());
      if (group != null) {
        offered.add(Capability.GROUP_CHANNEL);
      }
      Requirements.check(strategy, offered);
      boolean hasPeers = strategy.requires().contains(Capability.PEER_CHANNEL);
      // First the group channel, which may find that a setting is missing; peers have opened nothing then.
      GroupChannel channel = group == null ? null : channel(configuration, group, strategy.messages(), hasPeers);
      return new Channels(hasPeers ? channel(configuration, configuration.credentials(served)) : null, channel);
    } catch (UnavailableException e) {
      throw new ConfigurationException(e.getMessage());
    } catch (GroupChannelException e) {
      throw new IOException(e.getMessage(), e);
    } catch (LinkageError e) {
      throw new IOException(
          "The group channel " + configuration.channel() + " (understudy.channel) cannot be opened, because a class is missing (" + e
              + "). Add the dependencies of its jar to WEB-INF/lib.", e);
    }
  }

  /** A replica with peers does without the group channel while that has failed. */
  private static GroupChannel channel(
      Configuration configuration, GroupChannelProvider provider, List<MessageKind> messages, boolean hasPeers)
      throws GroupChannelException {
    GroupChannelSettings settings = configuration.channelSettings(messages);
    return hasPeers ? new ReopenedChannel(configuration.self(), () -> provider.open(settings)) : provider.open(settings);
  }

  private static PeerChannel channel(Configuration configuration, Credentials credentials) {
    return switch (configuration.transfer()) {
      case "call" -> new CallChannel(configuration, credentials);
      case "notification" -> new NotificationChannel(configuration, credentials);
      default ->
          new SocketChannel(
              new SocketSettings(
                  credentials,
                  configuration.peers(),
                  configuration.peerTls(),
                  configuration.suspicion(),
                  FrameSizes.DEFAULTS.frameBytes(),
                  FrameSizes.DEFAULTS.queuedBytes()));
    };
  }

  /** The name of the group within the web application; empty for the only one. */
  String name() {
    return configuration.localGroup();
  }

  Replica replica() {
    return replica;
  }

  /** Null when the plugin publishes nothing itself. */
  Publication publication() {
    return publication;
  }

  RequestPath requests() {
    return requests;
  }

  Health health() {
    return health;
  }

  @Override
  public URI address() {
    return configuration.url(configuration.self());
  }

  /** Whether this has an endpoint with the service object. */
  boolean has(Object bean) {
    return services.has(bean);
  }

  /** @throws ConfigurationException when an endpoint cannot be replicated as the application publishes it */
  void check(AttachedEndpoint endpoint) throws ConfigurationException {
    services.check(endpoint);
  }

  /**
   * Adds checked endpoints as services of the group.
   *
   * @param servlets the servlets of CXF in the web application
   * @return the paths of the endpoints
   * @throws ConfigurationException when two have one path or one name, or no servlet of CXF serves them
   */
  Set<String> attach(List<AttachedEndpoint> endpoints, CxfServlets servlets) throws ConfigurationException {
    String label = ThreadLabel.set(name());
    try {
      return services.attach(endpoints, servlets);
    } finally {
      ThreadLabel.set(label);
    }
  }

  /** Notes that the web application has no service of this group. Its peer address refuses connections from then on. */
  void leaveOut() {
    unused = true;
    channels.close();
  }

  /** Handles the end of an endpoint of this group. */
  void stopped(AttachedEndpoint endpoint) {
    services.stopped(endpoint);
  }

  @Override
  public boolean joins() {
    return !unused;
  }

  @Override
  public void warmUp() throws InterruptedException {
    if (configuration.replicated()) {
      warmUp.run();
    }
  }

  @Override
  public void join() {
    String label = ThreadLabel.set(name());
    try {
      replica.join();
    } finally {
      ThreadLabel.set(label);
    }
  }

  @Override
  public void halt(String why, Throwable cause) {
    replica.halt(why, cause);
  }

  @Override
  public void close() {
    closer.close();
  }
}
