package org.understudy.container.deployment;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.cxf.Bus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.container.attachment.AttachedEndpoint;
import org.understudy.container.attachment.Attachments;
import org.understudy.container.attachment.SelectedEndpoints;
import org.understudy.container.configuration.ApplicationConfiguration;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.configuration.ConfigurationException;
import org.understudy.container.configuration.TrustedProxies;
import org.understudy.container.event.GroupEvents;
import org.understudy.container.health.GroupsHealth;
import org.understudy.container.health.Health;
import org.understudy.container.health.HealthReport;
import org.understudy.container.health.HealthServer;
import org.understudy.container.health.HealthServlet;
import org.understudy.container.intake.ForwardedIntake;
import org.understudy.container.part.PartContext;
import org.understudy.container.session.ReplicationServlet;
import org.understudy.container.tomcat.FilterOrder;
import org.understudy.container.tomcat.ForwardedRequestValve;
import org.understudy.container.tomcat.RequestScopeFilter;
import org.understudy.container.tomcat.StartFailures;
import org.understudy.container.tomcat.TomcatApplication;
import org.understudy.replication.api.Deterministic;
import org.understudy.replication.api.ResourceState;
import org.understudy.replication.core.Capability;
import org.understudy.replication.core.limit.KeyKind;
import org.understudy.replication.runtime.Replica;

/** The replicas of one web application, usually one, with its replicated services or its broker. */
public final class Deployment implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Deployment.class);
  static final String SERVICES = "/services";
  private static final String SERVICES_SERVLET = "understudy-services";
  private static final String REPLICATION_SERVLET = "understudy-replication";
  private static final String HEALTH_SERVLET = "understudy-health";
  private static final String BEHIND_OTHERS = "understudy-attached-bodies";
  /** How long the end of the web application waits for responses to be sent. */
  private static final Duration LAST_RESPONSES = Duration.ofSeconds(1);

  /** The attribute of the servlet context that holds the deployment. */
  private static final String ATTRIBUTE = Deployment.class.getName();

  private final ApplicationConfiguration configuration;
  private final SharedParts shared;
  /** One for each group. */
  private final List<GroupMember> members;
  private final Closer closer;
  private final Joining joining;
  private final RequestScopeFilter scopes = new RequestScopeFilter();
  private final SelectedEndpoints selected;
  private final Attachments attachments;
  private final HealthServlet health;
  private final InstalledParts parts = new InstalledParts();
  private final OpenRequests requests = new OpenRequests();
  private final StartFailures failures = new StartFailures();

  private Deployment(ApplicationConfiguration configuration, SharedParts shared, List<GroupMember> members, Closer closer)
      throws IOException {
    this.configuration = configuration;
    this.shared = shared;
    this.members = members;
    this.closer = closer;
    this.joining = new Joining(members, this::attach);
    closer.add(joining::close);
    Map<String, Set<String>> byGroup = new TreeMap<>();
    configuration.groups().forEach(group -> byGroup.put(group.localGroup(), group.endpoints()));
    this.selected = new SelectedEndpoints(byGroup);
    this.attachments = new Attachments(this.selected, this::check, this::halt);
    HealthReport state = configuration.hasNamedGroups() ? groupsHealth() : members.get(0).health();
    this.health = new HealthServlet(state);
    if (configuration.common().healthAddress() != null) {
      HealthServer server = new HealthServer(state, configuration.common().healthAddress());
      closer.add(server::close);
    }
  }

  private HealthReport groupsHealth() {
    Map<String, Health> groups = new LinkedHashMap<>();
    members.forEach(member -> groups.put(member.name(), member.health()));
    return new GroupsHealth(groups, name -> member(name).joins());
  }

  /**
   * Opens the replica and publishes the service on a separate bus.
   *
   * @param service implements the endpoint interface; see {@link ResourceState} for further requirements
   * @throws IOException when an address or a directory cannot be used
   * @throws ConfigurationException also when {@code understudy.groups} is set
   */
  public static Deployment open(ApplicationConfiguration configuration, Class<?> service)
      throws IOException, ConfigurationException, ReflectiveOperationException {
    configuration.only();
    Set<Capability> offered = EnumSet.of(Capability.STATE_CAPTURE);
    if (service.isAnnotationPresent(Deterministic.class)) {
      offered.add(Capability.DETERMINISM);
    }
    return open(configuration, offered, List.of(), context -> ServicePublication.of(service, context));
  }

  /**
   * Opens the replicas for endpoints that the web application publishes itself.
   *
   * @throws IOException when an address or a directory cannot be used
   */
  public static Deployment open(ApplicationConfiguration configuration)
      throws IOException, ConfigurationException, ReflectiveOperationException {
    return open(configuration, EnumSet.of(Capability.STATE_CAPTURE), List.of(), context -> null);
  }

  /**
   * Opens the replica and publishes something other than a service, for example a notification broker.
   *
   * @throws IOException when an address or a directory cannot be used
   * @throws ConfigurationException also when {@code understudy.groups} is set
   */
  public static Deployment open(ApplicationConfiguration configuration, PublicationFactory factory)
      throws IOException, ConfigurationException, ReflectiveOperationException {
    List<KeyKind> kinds = factory.kinds(configuration.only());
    return open(configuration, EnumSet.of(Capability.STATE_CAPTURE), kinds, factory::publish);
  }

  /**
   * @param offered the capabilities that the publication offers to a strategy
   * @param more the kinds of keys of the publication only
   */
  private static Deployment open(
      ApplicationConfiguration configuration, Set<Capability> offered, List<KeyKind> more, GroupMember.Publishing publishing)
      throws IOException, ConfigurationException, ReflectiveOperationException {
    SharedParts shared = SharedParts.of(configuration.common());
    Closer closer = new Closer();
    try {
      List<GroupMember> members = new ArrayList<>();
      for (Configuration group : configuration.groups()) {
        GroupMember member = GroupMember.open(group, shared, offered, more, publishing);
        closer.add(member::close);
        members.add(member);
      }
      return new Deployment(configuration, shared, members, closer);
    } catch (ReflectiveOperationException | RuntimeException | ConfigurationException | IOException | Error e) {
      closer.close();
      throw e;
    }
  }

  /** Returns the replicas that are registered with a web application, or null. */
  public static Deployment of(ServletContext context) {
    return (Deployment) context.getAttribute(ATTRIBUTE);
  }

  /**
   * Adds filters and servlets to a starting web application, and begins to collect the endpoints that it publishes.
   *
   * @throws IllegalStateException when the web application has replicas already
   * @throws ConfigurationException when a setting of another module in the web application is invalid
   */
  public void register(ServletContext context) throws ConfigurationException {
    if (of(context) != null) {
      throw new IllegalStateException("The web application " + context.getContextPath() + " has replicas already.");
    }
    context.setAttribute(ATTRIBUTE, this);
    context.addListener(requests);
    UnknownPathLog.begin();
    TomcatApplication application = TomcatApplication.of(context);
    if (application == null) {
      LOG.warn("The server is not Tomcat: requests that other replicas forward to the web application {} are rejected.",
          context.getContextPath());
    } else {
      failures.begin(application);
      List<ForwardedIntake> intakes = members.stream().map(member -> member.requests().forwardedRequests()).toList();
      closer.add(ForwardedRequestValve.install(application, intakes)::close);
    }
    join(context, joining);
    attachments.begin(context.getClassLoader());
    context.setAttribute(TrustedProxies.class.getName(), configuration.common().trustedProxies());
    map(context, "understudy-request-scope", scopes, false, "/*");
    // The plugin's endpoints are behind the plugin's filters only; the application's endpoints are behind its own filters too.
    for (GroupMember member : members) {
      Set<String> servlets = Set.of(SERVICES_SERVLET, name(REPLICATION_SERVLET, member), HEALTH_SERVLET);
      map(context, name("understudy-bodies", member), member.requests().ownBodies(servlets), false, "/*");
      if (member.publication() != null) {
        String[] paths = paths(member.publication());
        map(context, "understudy", member.requests().ownFilter(), false, paths);
        add(context, SERVICES_SERVLET, member.publication().rest(), paths);
      }
    }
    for (GroupMember member : members) {
      map(context, name(BEHIND_OTHERS, member), member.requests().otherBodies(member == members.get(0)), true, "/*");
      map(context, name("understudy-attached", member), member.requests().attachedFilter(), true, "/*");
      String sessions = member.name().isEmpty() ? "/replication" : "/replication/" + member.name();
      ReplicationServlet servlet = new ReplicationServlet(member.requests().sessions(), member.requests()::firstService);
      add(context, name(REPLICATION_SERVLET, member), servlet, sessions);
    }
    add(context, HEALTH_SERVLET, health, "/health/*");
    parts.register(new PartContext(context, configuration.common(), shared.held(), shared.limiter()));
  }

  /** The paths of the plugin's own endpoints, to which the replication filter applies. */
  private static String[] paths(Publication publication) {
    boolean events = publication.endpoints().stream().anyMatch(endpoint -> endpoint.isAt(GroupEvents.PATH));
    return events ? new String[] {SERVICES + "/*", GroupEvents.PATH} : new String[] {SERVICES + "/*"};
  }

  private static String name(String part, GroupMember member) {
    return member.name().isEmpty() ? part : part + "-" + member.name();
  }

  /** Collects the endpoints of a bus, independent of the publishing thread. Call it before {@link #register} ends. */
  public void attachTo(Bus bus) {
    attachments.begin(bus);
  }

  /** Returns the replica of each group by the group's name within the application, which is empty for the only one. */
  public Map<String, Replica> replicas() {
    Map<String, Replica> replicas = new LinkedHashMap<>();
    members.forEach(member -> replicas.put(member.name(), member.replica()));
    return replicas;
  }

  /**
   * Returns the meters of the plugin for one group, beside those of its replica, by name. Each call of a meter reads the current value.
   *
   * @param group one of {@link #replicas}
   */
  public Map<String, LongSupplier> meters(String group) {
    return member(group).requests().meters();
  }

  private GroupMember member(String group) {
    return members.stream().filter(member -> member.name().equals(group)).findFirst().orElseThrow();
  }

  private static void map(ServletContext context, String name, Filter filter, boolean behindOthers, String... paths) {
    FilterRegistration.Dynamic registration = context.addFilter(name, filter);
    registration.setAsyncSupported(true);
    registration.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC), behindOthers, paths);
  }

  private void check(AttachedEndpoint endpoint) throws ConfigurationException {
    for (GroupMember other : members) {
      if (!other.name().equals(endpoint.group()) && other.has(endpoint.bean())) {
        throw new ConfigurationException(
            "its object belongs to an endpoint of the group " + other.name() + " too, and the state of one object has one order of "
                + "updates. Use one group for both endpoints, or two objects.");
      }
    }
    member(endpoint.group()).check(endpoint);
  }

  /**
   * Attaches to the endpoints that the web application has published. Called after all servlets have started.
   *
   * @return whether the web application has something to replicate
   */
  private boolean attach(ServletContext context) {
    TomcatApplication application = TomcatApplication.of(context);
    if (application != null) {
      scopes.begin(application);
      for (String connector : application.wideHttp2Connectors()) {
        LOG.warn("{} accepts HTTP/2, and one connection whose client reads nothing may occupy 20 threads of it, or each for 20 s. Set "
            + "maxConcurrentStreamExecution=\"4\" and streamWriteTimeout=\"5000\" at its UpgradeProtocol, or leave HTTP/2 to a proxy.",
            connector);
      }
    }
    List<AttachedEndpoint> endpoints = attachments.complete();
    String advice = OtherStack.advice(context);
    if (!selected.unmatched().isEmpty()) {
      LOG.warn("The configuration selects the endpoints {} for replication, and CXF has not published them in the web application {}. {}",
          String.join(", ", selected.unmatched()), context.getContextPath(),
          advice != null ? advice : "Correct the names or addresses, or publish the endpoints while the application starts.");
    }
    if (attachments.hasRefused()) {
      // The replicas have halted and are not closed: their health gives the reason.
      endpoints.forEach(endpoint -> endpoint.server().stop());
      complete(Set.of());
      return false;
    }
    CxfServlets servlets = CxfServlets.of(context, application);
    Set<String> failed = servlets.failed(endpoints);
    if (!failed.isEmpty() && (!endpoints.isEmpty() || members.get(0).publication() == null)) {
      // It would be the primary of endpoints that answer each request with an error.
      halt(
          "the servlets that serve its endpoints have failed to start: "
              + failed.stream().map(name -> name + " (" + failures.of(name) + ")").collect(Collectors.joining(", ")));
      endpoints.forEach(endpoint -> endpoint.server().stop());
      complete(Set.of());
      return false;
    }
    failures.close();
    if (endpoints.isEmpty() && members.get(0).publication() == null) {
      LOG.warn("Nothing is replicated in the web application {}, and this replica does not join its group. {}", context.getContextPath(),
          advice != null ? advice
              : "No endpoint has the annotation @FaultTolerant or the feature, none is named in understudy.endpoints, and "
                  + "understudy.service is not set; or the servlet that publishes the endpoints lacks load-on-startup.");
      complete(Set.of());
      closer.close();
      return false;
    }
    try {
      attachments.onStop(endpoint -> member(endpoint.group()).stopped(endpoint));
      Set<String> paths = new TreeSet<>();
      for (GroupMember member : members) {
        List<AttachedEndpoint> own = endpoints.stream().filter(one -> one.group().equals(member.name())).toList();
        if (own.isEmpty() && member.publication() == null) {
          LOG.warn("The group {} has no endpoint in the web application {}. This replica does not join it.",
              member.name(), context.getContextPath());
          member.leaveOut();
        } else {
          paths.addAll(member.attach(own, servlets));
        }
      }
      if (application != null) {
        FilterOrder.check(application.filters(), name(BEHIND_OTHERS, members.get(0)), paths, servlets.names());
      }
      attachments.others().forEach(other -> paths.addAll(servlets.find(other)));
      complete(paths);
      return true;
    } catch (ConfigurationException e) {
      // As the end of a sentence.
      String why = e.getMessage();
      halt("t" + why.substring(1, why.endsWith(".") ? why.length() - 1 : why.length()));
      endpoints.forEach(endpoint -> endpoint.server().stop());
      complete(Set.of());
      return false;
    }
  }

  /** @param why as the end of a sentence */
  private void halt(String why) {
    members.forEach(member -> member.replica().halt(why));
  }

  /** @param all the paths of all endpoints of the web application */
  private void complete(Set<String> all) {
    members.forEach(member -> member.requests().complete(all));
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

  /**
   * Ends the clients' requests that only wait for a new view, or lets them wait again. The replicas continue to serve.
   *
   * @param hold false before a server ends that waits for running requests: those that wait are answered, and later ones at once
   */
  public void holdPolls(boolean hold) {
    members.forEach(member -> member.requests().sessions().holdPolls(hold));
  }

  /**
   * Stops the replicas at the end of the web application, and waits up to a second until the container has sent the responses to requests
   * that have ended by it. Endpoints that are published later are not collected. Idempotent.
   */
  @Override
  public void close() {
    requests.stop();
    parts.close();
    failures.close();
    closer.close();
    attachments.end();
    UnknownPathLog.end();
    requests.awaitEnd(LAST_RESPONSES);
  }
}
