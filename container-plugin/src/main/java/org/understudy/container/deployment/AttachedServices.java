package org.understudy.container.deployment;

import jakarta.xml.ws.Provider;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.xml.namespace.QName;
import org.apache.cxf.frontend.WSDLGetUtils;
import org.apache.cxf.interceptor.OneWayProcessorInterceptor;
import org.apache.cxf.logging.FaultListener;
import org.apache.cxf.service.model.EndpointInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.container.attachment.AttachedEndpoint;
import org.understudy.container.attachment.CompleteAttachments;
import org.understudy.container.attachment.MessageFiles;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.configuration.ConfigurationException;
import org.understudy.container.execution.KeyScope;
import org.understudy.container.interceptor.ContentChecks;
import org.understudy.container.interceptor.FaultLog;
import org.understudy.container.interceptor.FaultTexts;
import org.understudy.container.interceptor.RequestThread;
import org.understudy.container.interceptor.UnderstoodHeaders;
import org.understudy.container.interceptor.UnknownResources;
import org.understudy.container.interceptor.WholeMessages;
import org.understudy.container.invoker.ReplicationPlace;
import org.understudy.container.operation.Operation;
import org.understudy.container.operation.Operations;
import org.understudy.container.request.ExecutionAttributes;
import org.understudy.container.service.BeanState;
import org.understudy.container.service.CxfOperations;
import org.understudy.container.service.HomeInjection;
import org.understudy.container.service.OutsideEffects;
import org.understudy.container.service.ReadRules;
import org.understudy.container.service.ReplicableService;
import org.understudy.container.transaction.Coordinations;
import org.understudy.replication.api.ResourceState;
import org.understudy.wsrf.operation.Endpoint;
import org.understudy.wsrf.resource.Resources;
import org.understudy.wsrf.resource.ServiceHome;

/**
 * Replicates the endpoints that a web application publishes itself. Endpoints that share a service object are one service: they have
 * one state, under one lock.
 */
final class AttachedServices {
  private static final Logger LOG = LoggerFactory.getLogger(AttachedServices.class);

  private final PublicationContext context;
  private final RequestPath requests;
  /** The endpoints of all groups of the web application by their paths. */
  private final Map<String, AttachedEndpoint> paths;
  private final Map<KeyScope, AttachedEndpoint> scopes = new HashMap<>();
  private final IdentityHashMap<Object, BeanState> states = new IdentityHashMap<>();
  private final List<Service> services = new ArrayList<>();
  private final IdentityHashMap<AttachedEndpoint, Set<String>> pathsOf = new IdentityHashMap<>();

  /** The running endpoints that share a service object, and the home of its resources. */
  private record Service(List<AttachedEndpoint> running, ServiceHome home) {}

  /**
   * @param requests the request path to which the services are added
   * @param paths the endpoints of all groups of the web application by their paths, to which those of this group are added
   */
  AttachedServices(PublicationContext context, RequestPath requests, Map<String, AttachedEndpoint> paths) {
    this.context = context;
    this.requests = requests;
    this.paths = paths;
  }

  /** Whether an endpoint with the service object has been checked. */
  synchronized boolean has(Object bean) {
    return states.containsKey(bean);
  }

  /** @throws ConfigurationException when an endpoint cannot be replicated as the application publishes it */
  synchronized void check(AttachedEndpoint endpoint) throws ConfigurationException {
    ReplicableService.checkProvider(endpoint.implementation());
    ReplicableService.check(endpoint.implementation(), endpoint.server().getEndpoint());
    ReplicableService.checkOperations(endpoint.implementation(), endpoint.server().getEndpoint());
    if (!states.containsKey(endpoint.bean())) {
      states.put(endpoint.bean(), BeanState.of(endpoint.bean(), context.configuration()));
    }
  }

  /**
   * Adds checked endpoints as services of the group.
   *
   * @param servlets the servlets of CXF in the web application
   * @return the paths of the endpoints
   * @throws ConfigurationException when two have one path or one name, or no servlet of CXF serves them
   */
  synchronized Set<String> attach(List<AttachedEndpoint> endpoints, CxfServlets servlets) throws ConfigurationException {
    for (AttachedEndpoint endpoint : endpoints) {
      pathsOf.put(endpoint, servlets.pathsOf(endpoint));
    }
    IdentityHashMap<Object, List<AttachedEndpoint>> byBean = new IdentityHashMap<>();
    endpoints.forEach(endpoint -> byBean.computeIfAbsent(endpoint.bean(), bean -> new ArrayList<>()).add(endpoint));
    List<List<AttachedEndpoint>> shared = new ArrayList<>(byBean.values());
    shared.forEach(service -> service.sort(Comparator.comparing(AttachedEndpoint::address)));
    // The order must be equal at every replica.
    shared.sort(Comparator.comparing(service -> service.get(0).address()));
    List<Publication> publications = new ArrayList<>();
    for (List<AttachedEndpoint> service : shared) {
      publications.addAll(publish(service));
    }
    publications.forEach(requests::add);
    for (AttachedEndpoint endpoint : endpoints) {
      LOG.info("The endpoint {} is replicated.", endpoint);
    }
    return publications.stream().map(Publication::path).collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * Handles the end of an endpoint: the filter passes its requests on. After the last endpoint of a service has ended, the service is
   * closed.
   */
  synchronized void stopped(AttachedEndpoint endpoint) {
    pathsOf.getOrDefault(endpoint, Set.of()).forEach(requests::remove);
    for (Service service : services) {
      service.running.remove(endpoint);
      if (service.running.isEmpty()) {
        service.home.close();
      }
    }
  }

  /** @param endpoints endpoints that share one service object */
  private List<Publication> publish(List<AttachedEndpoint> endpoints) throws ConfigurationException {
    AttachedEndpoint first = endpoints.get(0);
    ResourceState resource = first.implementation().getAnnotation(ResourceState.class);
    OutsideEffects.warn(first.implementation(), resource == null ? first.implementation() : resource.value());
    KeyScope scope = scope(endpoints);
    BeanState state = states.get(first.bean());
    Resources resources = context.resources(pathsOf.get(first).iterator().next(), state.fresh(), scope);
    state.captured().declare(resources);
    state.captured().watch(context.replica(), scope);
    ServiceHome home = context.home(resources);
    home.withoutLifetimes();
    state.begin(resources);
    Set<QName> coordination = Coordinations.installed().headers();
    requests.add(context.replays(pathsOf.get(first).iterator().next(), state.itself(), scope));
    if (HomeInjection.into(first.bean(), home)) {
      requests.add(context.outbox(first.bean(), resources, home, scope).meters());
    } else if (!state.isOneResource()) {
      throw ReplicableService.refused(
          first.implementation(),
          "it names its @ResourceState and has no field of type ResourceHome. Declare one; the plugin sets it, unless the "
              + "constructor has set it to a ServiceResources");
    }
    boolean database = context.decideBy(first.bean(), resources, home, state.isOneResource());
    services.add(new Service(new ArrayList<>(endpoints), home));
    if (state.isOneResource() && !database && context.configuration().replicated()) {
      ServicePublication.copy(
          first.bean(), state.captured(), resources, endpoints.stream().map(one -> one.server().getEndpoint()).toList());
    }
    List<Publication> publications = new ArrayList<>();
    for (AttachedEndpoint endpoint : endpoints) {
      org.apache.cxf.endpoint.Endpoint own = endpoint.server().getEndpoint();
      // Executes operations without response before the exchange ends.
      own.put(OneWayProcessorInterceptor.USE_ORIGINAL_THREAD, true);
      own.getInInterceptors().add(new RequestThread());
      own.getInInterceptors().add(new MessageFiles());
      own.getInInterceptors().add(new CompleteAttachments());
      own.getOutFaultInterceptors().add(new FaultTexts(false));
      if (endpoint.bus().getProperty(FaultListener.class.getName()) == null) {
        own.putIfAbsent(FaultListener.class.getName(), new FaultLog());
      }
      nameClientUrl(own.getEndpointInfo(), pathsOf.get(endpoint).iterator().next());
      if (!state.isOneResource()) {
        own.getOutFaultInterceptors().add(new UnknownResources(ExecutionAttributes::answersWith));
      }
      if (!coordination.isEmpty()) {
        own.getInInterceptors().add(new UnderstoodHeaders(coordination));
      }
      if (!Provider.class.isAssignableFrom(endpoint.implementation())) {
        // Numbers and booleans are read as the application's own configuration says, but no incomplete message is executed.
        own.getInInterceptors().add(new ContentChecks());
        own.getInInterceptors().add(new WholeMessages());
      }
      ReplicationPlace place =
          ServicePublication.place(
              context.configuration(), endpoint.bus(), own, endpoint.address(), endpoint.implementation());
      context.warmUp().add(endpoint.bus(), own, endpoint.implementation());
      for (String path : pathsOf.get(endpoint)) {
        publications.add(publication(endpoint, path, scope, home, state, place));
      }
    }
    return publications;
  }

  /** Has CXF's WSDL name the URL at which clients reach the endpoint, if it is configured and the application has set none. */
  private void nameClientUrl(EndpointInfo endpoint, String path) {
    Configuration configuration = context.configuration();
    if (configuration.hasClientUrls() && endpoint.getProperty(WSDLGetUtils.PUBLISHED_ENDPOINT_URL) == null) {
      endpoint.setProperty(WSDLGetUtils.PUBLISHED_ENDPOINT_URL, configuration.clientUrl(configuration.self()) + path);
    }
  }

  private Publication publication(
      AttachedEndpoint endpoint, String path, KeyScope scope, ServiceHome home, BeanState state, ReplicationPlace place)
      throws ConfigurationException {
    AttachedEndpoint other = paths.putIfAbsent(path, endpoint);
    if (other != null) {
      throw new ConfigurationException(
          "The endpoints " + other + " and " + endpoint + " have the same path " + path + " in the web application. Give each its own "
              + "address, or each servlet of CXF its own bus.");
    }
    context.served().add(path, scope, place, state.captured(), state.isOneResource());
    Endpoint location = new Endpoint(path, "");
    Map<QName, Operation> own =
        CxfOperations.of(endpoint.server().getEndpoint(), endpoint.implementation(), ReadRules.of(context.configuration()));
    Operations operations =
        place.isAfterCxf() ? Operations.afterCxf(location, own, List.of()) : new Operations(location, own, List.of());
    return new Publication(path, scope, home, state.isOneResource(), operations, List.of(location), null, Map.of(), null);
  }

  private KeyScope scope(List<AttachedEndpoint> endpoints) throws ConfigurationException {
    Set<String> names =
        endpoints.stream().map(AttachedEndpoint::name).filter(name -> !name.isEmpty()).collect(Collectors.toCollection(TreeSet::new));
    if (names.size() > 1) {
      throw new ConfigurationException(
          "The endpoints " + endpoints + " share one object and have the different names " + names + ". Give them one name.");
    }
    String name = names.isEmpty() ? endpoints.get(0).address() : names.iterator().next();
    try {
      KeyScope scope = new KeyScope(name);
      AttachedEndpoint other = scopes.putIfAbsent(scope, endpoints.get(0));
      if (other != null) {
        throw new ConfigurationException(
            "The services of the endpoints " + other + " and " + endpoints.get(0) + " are different objects with the same name " + name
                + ", under which the group keeps one state. Give each service its own name, by @FaultTolerant(name = …) or the feature, or "
                + "publish one object at both addresses.");
      }
      return scope;
    } catch (IllegalArgumentException e) {
      throw new ConfigurationException("The endpoint " + endpoints.get(0) + " cannot be replicated: " + e.getMessage());
    }
  }
}
