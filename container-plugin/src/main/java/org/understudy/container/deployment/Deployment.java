package org.understudy.container.deployment;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRegistration;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.cxf.Bus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.container.attachment.AttachedEndpoint;
import org.understudy.container.attachment.Attachments;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.configuration.ConfigurationException;
import org.understudy.container.configuration.Key;
import org.understudy.container.configuration.TrustedProxies;
import org.understudy.container.event.GroupEvents;
import org.understudy.container.health.Health;
import org.understudy.container.health.HealthServer;
import org.understudy.container.health.HealthServlet;
import org.understudy.container.management.ReplicaControl;
import org.understudy.container.peer.CallChannel;
import org.understudy.container.peer.NotificationChannel;
import org.understudy.container.request.ExecutionWatch;
import org.understudy.container.session.ReplicationServlet;
import org.understudy.outbox.Outbox;
import org.understudy.replication.api.Deterministic;
import org.understudy.replication.api.ResourceState;
import org.understudy.replication.core.Capability;
import org.understudy.replication.core.KeyKind;
import org.understudy.replication.core.KeyKinds;
import org.understudy.replication.core.ReplicationStrategy;
import org.understudy.replication.core.channel.GroupChannelException;
import org.understudy.replication.core.channel.GroupChannelProvider;
import org.understudy.replication.runtime.Channels;
import org.understudy.replication.runtime.FrameSizes;
import org.understudy.replication.runtime.PeerChannel;
import org.understudy.replication.runtime.Replica;
import org.understudy.replication.runtime.RuntimeSettings;
import org.understudy.replication.runtime.handshake.Credentials;
import org.understudy.replication.runtime.socket.SocketChannel;
import org.understudy.replication.runtime.socket.SocketSettings;
import org.understudy.replication.runtime.strategy.Installed;
import org.understudy.replication.runtime.strategy.Requirements;
import org.understudy.replication.runtime.strategy.UnavailableException;
import org.understudy.wsrf.notification.Notifications;
import org.understudy.wsrf.resource.Resources;
import org.understudy.wsrf.servicegroup.ServiceGroup;

/** The replica of one web application, with its replicated services or its broker. */
public final class Deployment implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Deployment.class);
  static final String SERVICES = "/services";
  private static final String SERVICES_SERVLET = "understudy-services";
  private static final String REPLICATION_SERVLET = "understudy-replication";
  private static final String HEALTH_SERVLET = "understudy-health";
  /** The plugin's servlets, whose request bodies are read by a filter; the application's servlets read their own. */
  private static final Set<String> SERVLETS =
      Set.of(SERVICES_SERVLET, REPLICATION_SERVLET, HEALTH_SERVLET);

  /** Disables the timeout of the runtime, because {@link ExecutionWatch} reports slow executions in more detail. */
  private static final Duration NO_TIMEOUT = Duration.ofDays(36_500);

  private final Configuration configuration;
  private final Closer closer;
  private final Replica replica;
  private final Joining joining;
  private final RequestPath requests;
  private final AttachedServices services;
  private final Attachments attachments;
  /** Null when the plugin publishes nothing itself. */
  private final Servlet rest;
  private final HealthServlet health;
  /** The paths of the plugin's own endpoints, to which the replication filter applies. */
  private final String[] paths;

  /** @param publication null when the plugin publishes nothing itself */
  private Deployment(
      Configuration configuration,
      Replica replica,
      ServedServices served,
      Publication publication,
      Closer closer)
      throws ConfigurationException, IOException {
    this.configuration = configuration;
    this.closer = closer;
    this.replica = replica;
    this.joining = new Joining(replica, configuration.url(configuration.self()), this::attach);
    closer.add(joining::close);
    this.requests = new RequestPath(configuration, replica, closer);
    this.services = new AttachedServices(new PublicationContext(configuration, replica, served, closer), requests);
    this.attachments = new Attachments(configuration.endpoints(), services::check, replica::halt);
    if (publication == null) {
      this.rest = null;
      this.paths = new String[0];
    } else {
      this.rest = publication.rest();
      boolean events = publication.endpoints().stream().anyMatch(endpoint -> endpoint.isAt(GroupEvents.PATH));
      this.paths = events ? new String[] {SERVICES + "/*", GroupEvents.PATH} : new String[] {SERVICES + "/*"};
      served.add(publication.path());
      requests.add(publication);
    }
    Health state = new Health(configuration, replica, requests.meters());
    this.health = new HealthServlet(state);
    if (configuration.healthAddress() != null) {
      HealthServer server = new HealthServer(state, configuration.healthAddress());
      closer.add(server::close);
    }
  }

  /**
   * Opens the replica and publishes the service on a separate bus.
   *
   * @param service implements the endpoint interface; see {@link ResourceState} for further requirements
   * @throws IOException when an address or a directory cannot be used
   */
  public static Deployment open(Configuration configuration, Class<?> service)
      throws IOException, ConfigurationException, ReflectiveOperationException {
    Set<Capability> offered = EnumSet.of(Capability.STATE_CAPTURE);
    if (service.isAnnotationPresent(Deterministic.class)) {
      offered.add(Capability.DETERMINISM);
    }
    return open(configuration, offered, List.of(), context -> ServicePublication.of(service, context));
  }

  /**
   * Opens the replica for endpoints that the web application publishes itself.
   *
   * @throws IOException when an address or a directory cannot be used
   */
  public static Deployment open(Configuration configuration)
      throws IOException, ConfigurationException, ReflectiveOperationException {
    return open(configuration, EnumSet.of(Capability.STATE_CAPTURE), List.of(), context -> null);
  }

  /**
   * Opens the replica and publishes something other than a service, for example a notification broker.
   *
   * @throws IOException when an address or a directory cannot be used
   */
  public static Deployment open(Configuration configuration, PublicationFactory factory)
      throws IOException, ConfigurationException, ReflectiveOperationException {
    return open(
        configuration, EnumSet.of(Capability.STATE_CAPTURE), factory.kinds(configuration), factory::publish);
  }

  /** Publishes services or a broker on an open replica. */
  @FunctionalInterface
  private interface Publishing {
    /** Returns null when the plugin publishes nothing itself. */
    Publication on(PublicationContext context) throws ReflectiveOperationException, ConfigurationException;
  }

  /** @param offered the capabilities that the publication offers to a strategy */
  private static Deployment open(
      Configuration configuration, Set<Capability> offered, List<KeyKind> more, Publishing publishing)
      throws IOException, ConfigurationException, ReflectiveOperationException {
    ReplicationStrategy strategy = configuration.strategy();
    ServedServices served = new ServedServices(configuration);
    Channels channels = channels(configuration, offered, served);
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
            .with(configuration.group(), configuration.readConfirmation());
    Closer closer = new Closer();
    Replica replica = Replica.prepare(settings, strategy, channels);
    closer.add(replica::close);
    if (channels.peers() != null) {
      closer.add(ReplicaControl.register(configuration, replica)::close);
    }
    try {
      Publication publication = publishing.on(new PublicationContext(configuration, replica, served, closer));
      return new Deployment(configuration, replica, served, publication, closer);
    } catch (ReflectiveOperationException | RuntimeException | ConfigurationException | IOException | Error e) {
      // Also after an Error, for example a missing class of the service: the next deployment needs the ports.
      closer.close();
      throw e;
    }
  }

  /**
   * Returns the kinds of keys, which determine the limit against which stored state counts.
   *
   * @param more the kinds of this publication only
   */
  private static KeyKinds kinds(Configuration configuration, List<KeyKind> more) {
    List<KeyKind> kinds = new ArrayList<>();
    kinds.add(KeyKind.counted("", "resources", configuration.resources(), Key.RESOURCES.property()));
    kinds.add(KeyKind.common(Resources.SERVICE));
    kinds.add(ServiceGroup.kind(configuration.groupEntries(), Key.GROUP_ENTRIES.property()));
    kinds.addAll(
        Notifications.kinds(
            configuration.subscriptions(), Key.SUBSCRIPTIONS.property(), configuration.pullPoints(),
            Key.PULL_POINTS.property()));
    kinds.addAll(Outbox.kinds(configuration.outgoingCalls(), Key.OUTGOING_CALLS.property()));
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
      boolean usesGroupChannel = strategy.requires().contains(Capability.GROUP_CHANNEL);
      GroupChannelProvider group =
          usesGroupChannel ? Installed.in(Deployment.class.getClassLoader()).groupChannel() : null;
      if (group != null) {
        offered.add(Capability.GROUP_CHANNEL);
      }
      Requirements.check(strategy, offered);
      return new Channels(
          strategy.requires().contains(Capability.PEER_CHANNEL) ? channel(configuration, configuration.credentials(served)) : null,
          group == null
              ? null
              : group.open(
                  configuration.group(), configuration.self(), configuration.replicas(), strategy.messages()));
    } catch (UnavailableException e) {
      throw new ConfigurationException(e.getMessage());
    } catch (GroupChannelException e) {
      throw new IOException(e.getMessage(), e);
    }
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

  /** Adds filters and servlets to a starting web application, and begins to collect the endpoints that it publishes. */
  public void register(ServletContext context) {
    join(context, joining);
    attachments.begin(context.getClassLoader());
    context.setAttribute(TrustedProxies.class.getName(), configuration.trustedProxies());
    // The plugin's endpoints are behind the plugin's filters only; the application's endpoints are behind its own filters too.
    map(context, "understudy-bodies", requests.ownBodies(SERVLETS), false, "/*");
    if (rest != null) {
      map(context, "understudy", requests.ownFilter(), false, paths);
      add(context, SERVICES_SERVLET, rest, paths);
    }
    map(context, "understudy-attached-bodies", requests.otherBodies(), true, "/*");
    map(context, "understudy-attached", requests.attachedFilter(), true, "/*");
    add(context, REPLICATION_SERVLET, new ReplicationServlet(requests.sessions()), "/replication");
    add(context, HEALTH_SERVLET, health, "/health/*");
  }

  /** Collects the endpoints of a bus, independent of the publishing thread. Call it before {@link #register} ends. */
  public void attachTo(Bus bus) {
    attachments.begin(bus);
  }

  /** Returns the meters of the plugin, beside those of the replica, by name. Each call of a meter reads the current value. */
  public Map<String, LongSupplier> meters() {
    return requests.meters();
  }

  private static void map(ServletContext context, String name, Filter filter, boolean behindOthers, String... paths) {
    FilterRegistration.Dynamic registration = context.addFilter(name, filter);
    registration.setAsyncSupported(true);
    registration.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC), behindOthers, paths);
  }

  /**
   * Attaches to the endpoints that the web application has published. Called after all servlets have started.
   *
   * @return whether the web application has something to replicate
   */
  private boolean attach(ServletContext context) throws ServletException {
    List<AttachedEndpoint> endpoints = attachments.complete();
    if (attachments.hasRefused()) {
      // The replica has halted and is not closed: its health gives the reason.
      endpoints.forEach(endpoint -> endpoint.server().stop());
      requests.complete();
      return false;
    }
    if (endpoints.isEmpty() && rest == null) {
      LOG.warn("Nothing is replicated in the web application {}: no endpoint has the annotation @FaultTolerant or the feature, "
          + "none is named in understudy.endpoints, and understudy.service is not set. This replica does not join its group.",
          context.getContextPath());
      requests.complete();
      close();
      return false;
    }
    try {
      attachments.onStop(services::stopped);
      services.attach(endpoints, ServletMappings.of(context));
      requests.complete();
      return true;
    } catch (ConfigurationException e) {
      LOG.error("Understudy does not start: {}", e.getMessage());
      endpoints.forEach(endpoint -> endpoint.server().stop());
      // The other servlets of the application continue.
      requests.complete();
      close();
      throw new ServletException("Understudy does not start: " + e.getMessage());
    }
  }

  /** Adds the servlet that starts last. */
  private static void join(ServletContext context, Joining joining) {
    context.addServlet("understudy-joining", joining).setLoadOnStartup(Integer.MAX_VALUE);
  }

  private static void add(ServletContext context, String name, Servlet servlet, String... mappings) {
    ServletRegistration.Dynamic registration = context.addServlet(name, servlet);
    registration.setAsyncSupported(true);
    registration.setLoadOnStartup(1);
    registration.addMapping(mappings);
  }

  public Replica replica() {
    return replica;
  }

  @Override
  public void close() {
    closer.close();
  }
}
