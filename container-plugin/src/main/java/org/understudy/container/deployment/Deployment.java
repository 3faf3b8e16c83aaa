package org.understudy.container.deployment;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.xml.ws.WebServiceException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.cxf.Bus;
import org.apache.cxf.BusFactory;
import org.apache.cxf.binding.Binding;
import org.apache.cxf.binding.soap.SoapVersion;
import org.apache.cxf.binding.soap.interceptor.ReadHeadersInterceptor;
import org.apache.cxf.interceptor.OneWayProcessorInterceptor;
import org.apache.cxf.jaxws.EndpointImpl;
import org.apache.cxf.transport.servlet.CXFNonSpringServlet;
import org.understudy.container.basefault.UnknownResources;
import org.understudy.container.broker.NotificationBroker;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.configuration.ConfigurationException;
import org.understudy.container.configuration.Key;
import org.understudy.container.contract.PublishedContracts;
import org.understudy.container.event.GroupEvents;
import org.understudy.container.group.ServiceGroup;
import org.understudy.container.health.HealthServlet;
import org.understudy.container.notification.Notifications;
import org.understudy.container.notification.ServiceTopics;
import org.understudy.container.notification.Subscriptions;
import org.understudy.container.operation.Endpoint;
import org.understudy.container.peer.CallChannel;
import org.understudy.container.peer.NotificationChannel;
import org.understudy.container.peer.PeerCredentials;
import org.understudy.container.peer.PeerServlet;
import org.understudy.container.property.PropertyOperations;
import org.understudy.container.property.ResourceDocument;
import org.understudy.container.request.Answers;
import org.understudy.container.request.Forwarding;
import org.understudy.container.request.LoadBalancing;
import org.understudy.container.request.Operations;
import org.understudy.container.request.ReplicationFilter;
import org.understudy.container.request.UnderstoodHeaders;
import org.understudy.container.resource.Resources;
import org.understudy.container.session.ReplicationOperations;
import org.understudy.container.session.ReplicationServlet;
import org.understudy.replication.api.ResourceHome;
import org.understudy.replication.api.ResourceState;
import org.understudy.replication.api.StateCapture;
import org.understudy.replication.api.Topics;
import org.understudy.replication.core.ReplicationStrategy;
import org.understudy.replication.runtime.PeerChannel;
import org.understudy.replication.runtime.Replica;
import org.understudy.replication.runtime.RuntimeSettings;
import org.understudy.replication.runtime.socket.SocketChannel;
import org.understudy.replication.runtime.socket.SocketSettings;

/** One replicated service, or broker, in one web application. */
public final class Deployment implements AutoCloseable {
  private static final String SERVICES = "/services";
  private static final int MOST_FRAME_BYTES = 64 << 20;
  private static final long MOST_QUEUED_BYTES = 64L << 20;
  private static final int MOST_RESOURCES = 1_000_000;

  private final Replica replica;
  private final WsResources standards;
  /** Ends them. */
  private final Runnable notifications;
  /** Null where there is no service. */
  private final Bus bus;
  private final Servlet services;
  private final ReplicationFilter filter;
  private final ReplicationOperations operations;
  private final Forwarding forwarding;
  private final HealthServlet health;
  private final GroupEvents events;
  private final PeerServlet peers;

  private Deployment(
      Replica replica,
      WsResources standards,
      Runnable notifications,
      Bus bus,
      Servlet services,
      ReplicationFilter filter,
      ReplicationOperations operations,
      Forwarding forwarding,
      HealthServlet health,
      GroupEvents events,
      PeerServlet peers) {
    this.replica = replica;
    this.standards = standards;
    this.notifications = notifications;
    this.bus = bus;
    this.services = services;
    this.filter = filter;
    this.operations = operations;
    this.forwarding = forwarding;
    this.health = health;
    this.events = events;
    this.peers = peers;
  }

  /**
   * Opens the replica and publishes the service on a bus of its own.
   *
   * @param service implements the endpoint interface; see {@link ResourceState} for what else it needs
   * @throws IOException when an address or a directory cannot be used
   */
  public static Deployment open(Configuration configuration, Class<?> service)
      throws IOException, ConfigurationException, ReflectiveOperationException {
    return open(
        configuration,
        (replica, credentials, channel) -> publish(configuration, service, replica, credentials, channel));
  }

  /**
   * Opens the replica and publishes a notification broker.
   *
   * @throws IOException when an address or a directory cannot be used
   */
  public static Deployment openBroker(Configuration configuration)
      throws IOException, ConfigurationException, ReflectiveOperationException {
    return open(
        configuration, (replica, credentials, channel) -> publishBroker(configuration, replica, credentials, channel));
  }

  /** Publishes something on a replica that is open. */
  @FunctionalInterface
  private interface Publication {
    /** @param channel null when the strategy needs no peers */
    Deployment of(Replica replica, PeerCredentials credentials, PeerChannel channel)
        throws ReflectiveOperationException, ConfigurationException;
  }

  private static Deployment open(Configuration configuration, Publication publication)
      throws IOException, ConfigurationException, ReflectiveOperationException {
    ReplicationStrategy strategy =
        ServiceLoader.load(ReplicationStrategy.class, Deployment.class.getClassLoader()).stream()
            .map(ServiceLoader.Provider::get)
            .filter(candidate -> candidate.name().equals(configuration.strategy()))
            .findFirst()
            .orElseThrow(() -> new ConfigurationException("There is no strategy " + configuration.strategy() + "."));
    PeerCredentials credentials = new PeerCredentials(configuration);
    PeerChannel channel = strategy.needsPeers() ? channel(configuration, credentials) : null;
    RuntimeSettings settings =
        new RuntimeSettings(
            configuration.self(),
            configuration.replicas(),
            configuration.directory(),
            configuration.timing(),
            configuration.limits(),
            configuration.requestDeadline());
    Replica replica = Replica.open(settings, strategy, channel);
    try {
      return publication.of(replica, credentials, channel);
    } catch (ReflectiveOperationException | RuntimeException | ConfigurationException e) {
      replica.close();
      throw e;
    }
  }

  private static PeerChannel channel(Configuration configuration, PeerCredentials credentials) {
    return switch (configuration.transfer()) {
      case "call" -> new CallChannel(configuration, credentials);
      case "notification" -> new NotificationChannel(configuration, credentials);
      default ->
          new SocketChannel(
              new SocketSettings(
                  configuration.self(),
                  configuration.group(),
                  configuration.peers(),
                  configuration.secret(),
                  MOST_FRAME_BYTES,
                  MOST_QUEUED_BYTES));
    };
  }

  private static Deployment publish(
      Configuration configuration,
      Class<?> service,
      Replica replica,
      PeerCredentials credentials,
      PeerChannel channel)
      throws ReflectiveOperationException, ConfigurationException {
    String name = "/" + service.getSimpleName();
    String path = SERVICES + name;
    ResourceState state = service.getAnnotation(ResourceState.class);
    Object[] bean = new Object[1];
    Supplier<StateCapture> fresh =
        state == null ? () -> (StateCapture) bean[0] : () -> instance(state.value());
    Resources resources =
        new Resources(
            replica,
            configuration.replicated(),
            fresh,
            configuration.url(configuration.self()) + path,
            MOST_RESOURCES);
    bean[0] = state == null ? instance(service) : service.getConstructor(ResourceHome.class).newInstance(resources);
    if (state == null && bean[0] instanceof StateCapture itself) {
      resources.begin(itself);
    } else if (state == null) {
      throw new ConfigurationException(
          "The service " + service.getName() + " neither names its @ResourceState nor implements StateCapture.");
    }
    Bus bus = BusFactory.newInstance().createBus();
    limitXml(bus);
    // An operation without response has its effects before the exchange ends, as any other.
    bus.setProperty(OneWayProcessorInterceptor.USE_ORIGINAL_THREAD, true);
    bus.getInInterceptors().add(new UnderstoodHeaders());
    bus.getOutFaultInterceptors().add(new UnknownResources());
    EndpointImpl endpoint = new EndpointImpl(bus, bean[0]);
    endpoint.publish(name);
    takeBothVersions(bus, endpoint.getServer().getEndpoint().getBinding());
    CXFNonSpringServlet services = new CXFNonSpringServlet();
    services.setBus(bus);
    Endpoint own = new Endpoint(path, "");
    WsResources standards = new WsResources(configuration, replica, resources, own);
    ServiceGroup group = standards.group();
    Notifications notifications = null;
    List<Endpoint> endpoints = new ArrayList<>(List.of(own, group.endpoint(), group.entryEndpoint()));
    PublishedContracts contracts = new PublishedContracts(configuration.url(configuration.self()));
    try {
      String namespace = endpoint.getServer().getEndpoint().getService().getName().getNamespaceURI();
      ResourceDocument document = standards.publish(fresh.get(), namespace);
      notifications =
          new Notifications(
              configuration, replica, resources, standards.updates(), standards.lifetimes(), own, document,
              new ServiceTopics(document, service.getAnnotation(Topics.class)));
      ResourceDocument subscription = notifications.subscriptionDocument();
      PropertyOperations.addAll(notifications.manager(), subscription);
      standards.publish(notifications.manager(), Subscriptions.KEYS, subscription);
      endpoints.addAll(
          List.of(notifications.manager(), notifications.createPullPoint(), notifications.pullPoint()));
      resources.publishTo(notifications);
      resources.listen(notifications);
      standards.tell(notifications);
      contracts.add(own, bus, endpoint.getServer().getEndpoint(), document.declaration());
      contracts.add(group.endpoint(), group.document().declaration());
      contracts.add(group.entryEndpoint(), group.entryDocument().declaration());
      contracts.add(notifications.manager(), subscription.declaration());
      contracts.add(notifications.createPullPoint(), null);
      contracts.add(notifications.pullPoint(), null);
      notifications.begin();
    } catch (IllegalArgumentException e) {
      standards.close();
      throw new ConfigurationException(e.getMessage());
    } catch (RuntimeException e) {
      standards.close();
      throw e;
    }

    Answers answers = new Answers(configuration, replica, path);
    Forwarding forwarding = new Forwarding(configuration, replica, answers);
    LoadBalancing load = new LoadBalancing(configuration.loadThreshold());
    ReplicationOperations operations = new ReplicationOperations(configuration, replica, answers);
    ReplicationFilter filter =
        new ReplicationFilter(
            configuration,
            replica,
            resources,
            state == null,
            answers,
            load,
            new Operations(
                endpoint.getServer().getEndpoint(), service, configuration.readLevel(), own, endpoints),
            operations,
            forwarding,
            endpoints,
            contracts);
    return new Deployment(
        replica,
        standards,
        notifications::close,
        bus,
        services,
        filter,
        operations,
        forwarding,
        new HealthServlet(configuration, replica, meters(load, operations, notifications)),
        new GroupEvents(configuration, replica, answers),
        channel == null ? null : new PeerServlet(configuration, credentials, replica, channel));
  }

  private static Map<String, LongSupplier> meters(
      LoadBalancing load, ReplicationOperations operations, Notifications notifications) {
    Map<String, LongSupplier> meters = new LinkedHashMap<>();
    meters.put("load", load::load);
    meters.put("polls", operations::heldPolls);
    meters.putAll(notifications.meters());
    return meters;
  }

  private static Deployment publishBroker(
      Configuration configuration, Replica replica, PeerCredentials credentials, PeerChannel channel)
      throws ConfigurationException {
    Resources resources =
        new Resources(
            replica,
            configuration.replicated(),
            () -> {
              throw new IllegalStateException("A broker has no resources of a service's.");
            },
            configuration.url(configuration.self()) + NotificationBroker.PATH,
            MOST_RESOURCES);
    WsResources standards =
        new WsResources(configuration, replica, resources, new Endpoint(NotificationBroker.PATH, ""));
    NotificationBroker broker;
    PublishedContracts contracts = new PublishedContracts(configuration.url(configuration.self()));
    try {
      broker =
          new NotificationBroker(configuration, replica, resources, standards.updates(), standards.lifetimes());
    } catch (IllegalArgumentException e) {
      standards.close();
      throw new ConfigurationException(Key.BROKER_TOPICS.property() + ": " + e.getMessage());
    }
    Notifications notifications = broker.notifications();
    try {
      ResourceDocument subscription = notifications.subscriptionDocument();
      PropertyOperations.addAll(notifications.manager(), subscription);
      standards.publish(notifications.manager(), Subscriptions.KEYS, subscription);
      standards.publish(broker.manager(), NotificationBroker.REGISTRATION_KEYS, broker.registrationDocument());
      contracts.add(broker.endpoint(), broker.document().declaration());
      contracts.add(broker.manager(), broker.registrationDocument().declaration());
      contracts.add(notifications.manager(), subscription.declaration());
      contracts.add(notifications.createPullPoint(), null);
      contracts.add(notifications.pullPoint(), null);
      broker.begin();
    } catch (RuntimeException e) {
      broker.close();
      standards.close();
      throw e;
    }
    List<Endpoint> endpoints =
        List.of(
            broker.endpoint(), broker.manager(), notifications.manager(), notifications.createPullPoint(),
            notifications.pullPoint());
    Answers answers = new Answers(configuration, replica, NotificationBroker.PATH);
    Forwarding forwarding = new Forwarding(configuration, replica, answers);
    LoadBalancing load = new LoadBalancing(configuration.loadThreshold());
    ReplicationOperations operations = new ReplicationOperations(configuration, replica, answers);
    ReplicationFilter filter =
        new ReplicationFilter(
            configuration,
            replica,
            resources,
            false,
            answers,
            load,
            new Operations(endpoints),
            operations,
            forwarding,
            endpoints,
            contracts);
    return new Deployment(
        replica,
        standards,
        broker::close,
        null,
        new NothingElse(),
        filter,
        operations,
        forwarding,
        new HealthServlet(configuration, replica, meters(load, operations, notifications)),
        new GroupEvents(configuration, replica, answers),
        channel == null ? null : new PeerServlet(configuration, credentials, replica, channel));
  }

  /** Behind the filter of a broker, where a service would stand. */
  private static final class NothingElse extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
      response.sendError(HttpServletResponse.SC_NOT_FOUND, "The broker is at " + NotificationBroker.PATH + ".");
    }
  }

  private static <T> T instance(Class<T> type) {
    try {
      return type.getConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new WebServiceException(type.getName() + " needs a public constructor without parameters.", e);
    }
  }

  /** CXF's endpoint of SOAP 1.1 refuses 1.2; but for this interceptor it goes by each message's own version. */
  private static void takeBothVersions(Bus bus, Binding binding) {
    binding.getInInterceptors().removeIf(ReadHeadersInterceptor.class::isInstance);
    binding.getInInterceptors().add(new ReadHeadersInterceptor(bus, (SoapVersion) null));
  }

  /** CXF leaves these open; a message within them fits its body limit many times. */
  private static void limitXml(Bus bus) {
    bus.setProperty("org.apache.cxf.stax.maxElementCount", 500_000L);
    bus.setProperty("org.apache.cxf.stax.maxXMLCharacters", 300_000_000L);
    bus.setProperty("org.apache.cxf.stax.maxTextLength", 64L << 20);
  }

  /** Adds filter and servlets to a web application that is starting. */
  public void register(ServletContext context) {
    var replication = context.addFilter("understudy", (Filter) filter);
    replication.setAsyncSupported(true);
    replication.addMappingForUrlPatterns(
        EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC), false, SERVICES + "/*");
    add(context, "understudy-services", services, SERVICES + "/*");
    add(context, "understudy-replication", new ReplicationServlet(operations), "/replication");
    add(context, "understudy-health", health, "/health/*");
    add(context, "understudy-notification", events.servlet(), "/notification", "/notification/*");
    if (peers != null) {
      add(context, "understudy-peer", peers, "/peer");
    }
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
    operations.close();
    forwarding.close();
    events.close();
    notifications.run();
    standards.close();
    replica.close();
    if (bus != null) {
      bus.shutdown(true);
    }
  }
}
