package org.understudy.container.attachment;

import jakarta.xml.ws.WebServiceException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.WeakHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.apache.cxf.Bus;
import org.apache.cxf.common.util.ClassHelper;
import org.apache.cxf.endpoint.Server;
import org.apache.cxf.service.invoker.FactoryInvoker;
import org.apache.cxf.transport.http.DestinationRegistryImpl;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.container.configuration.ConfigurationException;
import org.understudy.replication.api.FaultTolerant;
import org.understudy.state.StateException;
import org.understudy.state.Targets;

/**
 * Collects the endpoints that one web application publishes while it starts. Logs a warning for each endpoint that is not selected for
 * replication. Stops a selected endpoint that cannot be replicated, so that it is never served without replication. Thread-safe.
 */
public final class Attachments {
  private static final Logger LOG = LoggerFactory.getLogger(Attachments.class);
  private static final String IGNORED = "org.understudy.replicated";
  /** The only scope of CDI with proxies whose beans exist once and as long as the web application. */
  private static final String APPLICATION_SCOPED = "jakarta.enterprise.context.ApplicationScoped";
  private static final Map<ClassLoader, Attachments> BY_APPLICATION = Collections.synchronizedMap(new WeakHashMap<>());

  private static final EarlyEndpoints EARLY = new EarlyEndpoints();

  private final SelectedEndpoints selected;
  private final Check check;
  private final Consumer<String> onRefusal;
  private final List<AttachedEndpoint> endpoints = new CopyOnWriteArrayList<>();
  private final List<AttachedEndpoint> others = new CopyOnWriteArrayList<>();
  private final List<Consumer<AttachedEndpoint>> stopListeners = new CopyOnWriteArrayList<>();
  private boolean complete;
  /** Why the first endpoint was rejected that was published in time; null when none was. */
  private String refusal;

  /** Rejects endpoints that cannot be replicated. */
  @FunctionalInterface
  public interface Check {
    /** @throws ConfigurationException with the reason */
    void check(AttachedEndpoint endpoint) throws ConfigurationException;
  }

  /**
   * Creates the collection for one web application.
   *
   * @param selected the groups, and the endpoints that are replicated without the annotation or the feature
   * @param check called with each selected endpoint before it is added
   * @param onRefusal called at most once, before {@link #complete}, with the reason why an endpoint is rejected, as the end of a
   *     sentence; it logs the reason
   */
  public Attachments(SelectedEndpoints selected, Check check, Consumer<String> onRefusal) {
    this.selected = selected;
    this.check = check;
    this.onRefusal = onRefusal;
  }

  /** Collects the endpoints that have been or are published while this is the context class loader, until {@link #end}. */
  public void begin(ClassLoader application) {
    BY_APPLICATION.put(application, this);
    EARLY.take(application, (bus, server) -> {
      try {
        publish(bus, server);
      } catch (WebServiceException e) {
        // The reason has been noted.
        LOG.debug("An endpoint is refused that was published before the plugin began.", e);
      }
    });
  }

  /** Collects the endpoints of a bus, independent of the publishing thread. */
  public void begin(Bus bus) {
    bus.setExtension(this, Attachments.class);
  }

  /** Stops collecting when the web application ends. */
  public void end() {
    BY_APPLICATION.values().removeIf(attachments -> attachments == this);
  }

  /** Returns the collection of a web application, or null. */
  static Attachments begun(ClassLoader application) {
    return BY_APPLICATION.get(application);
  }

  /** Excludes a bus of the plugin itself. */
  public static void ignore(Bus bus) {
    bus.setProperty(IGNORED, true);
  }

  /** Adds a listener that receives every collected endpoint that stops. */
  public void onStop(Consumer<AttachedEndpoint> listener) {
    stopListeners.add(listener);
  }

  /** Returns the selected endpoints. Endpoints that are published later are rejected. */
  public synchronized List<AttachedEndpoint> complete() {
    complete = true;
    return new ArrayList<>(endpoints);
  }

  /** Returns the endpoints that are not selected, also those whose address is not one within the web application. */
  public List<AttachedEndpoint> others() {
    return others;
  }

  /** Whether an endpoint was rejected before {@link #complete}: then nothing in the web application is replicated. */
  public synchronized boolean hasRefused() {
    return refusal != null;
  }

  /** Handles the publication of an endpoint. */
  static void started(Bus bus, Server server) {
    if (bus.getProperty(IGNORED) != null) {
      return;
    }
    Attachments attachments = bus.getExtension(Attachments.class);
    attachments = attachments != null ? attachments : BY_APPLICATION.get(Thread.currentThread().getContextClassLoader());
    if (attachments == null) {
      LOG.warn("The endpoint {} is NOT replicated yet: Understudy's plugin is in the application, but the server has not called it, or "
          + "it has found no configuration. If no line follows that the endpoint is replicated, see docs/services.md, section How it is "
          + "published.", describe(server));
      EARLY.add(Thread.currentThread().getContextClassLoader(), bus, server);
    } else {
      attachments.publish(bus, server);
    }
  }

  /** Handles the end of an endpoint. */
  static void stopped(Bus bus, Server server) {
    EARLY.remove(server);
    // Any thread can stop it, also one with the context class loader of another application or none.
    Set<Attachments> all = Collections.newSetFromMap(new IdentityHashMap<>());
    synchronized (BY_APPLICATION) {
      all.addAll(BY_APPLICATION.values());
    }
    Attachments ofBus = bus.getExtension(Attachments.class);
    if (ofBus != null) {
      all.add(ofBus);
    }
    all.forEach(attachments -> attachments.stopped(server));
  }

  private void stopped(Server server) {
    others.removeIf(other -> other.server() == server);
    for (AttachedEndpoint endpoint : endpoints) {
      if (endpoint.server() == server) {
        stopListeners.forEach(listener -> listener.accept(endpoint));
      }
    }
  }

  private void publish(Bus bus, Server server) {
    Object bean = server.getEndpoint().getService().getInvoker() instanceof FactoryInvoker invoker && invoker.isSingletonFactory()
        ? invoker.getServiceObject(null)
        : null;
    FaultTolerantFeature feature = FaultTolerantFeature.of(server, bus);
    Class<?> type = bean == null ? null : typeOf(bus, bean);
    FaultTolerant mark = type == null ? null : type.getAnnotation(FaultTolerant.class);
    try {
      Set<String> named = new TreeSet<>();
      named.add(feature == null ? "" : feature.getGroup());
      named.add(mark == null ? "" : mark.group());
      named.remove("");
      String group = selected.group(server.getEndpoint(), feature != null || mark != null, named);
      if (group == null) {
        LOG.warn("The endpoint {} is NOT replicated: it has neither the annotation @FaultTolerant nor the feature, and "
            + "{} does not name it.", describe(server), selected.key());
        others.add(new AttachedEndpoint(bus, server, bean, address(server), "", ""));
        return;
      }
      String name = feature != null && !feature.getName().isEmpty() ? feature.getName() : mark == null ? "" : mark.name();
      attach(bus, server, bean, group, name);
    } catch (ConfigurationException e) {
      server.stop();
      throw new WebServiceException(refused("The endpoint " + describe(server) + " is not published: " + e.getMessage()));
    }
  }

  /**
   * Takes note of a refusal. After the first, an application may publish all its endpoints again with every request, as CXF's
   * servlet does when its Spring context has failed: the further reasons follow from the first.
   *
   * @return the reason to be told
   */
  private String refused(String why) {
    synchronized (this) {
      if (refusal != null) {
        return refusal;
      }
      if (complete) {
        LOG.error(why);
        return why;
      }
      refusal = why;
    }
    onRefusal.accept("t" + why.substring(1, why.endsWith(".") ? why.length() - 1 : why.length()));
    return why;
  }

  private synchronized void attach(Bus bus, Server server, Object bean, String group, String name)
      throws ConfigurationException {
    if (complete) {
      throw new ConfigurationException(
          "it was published after all servlets of the web application had started, and a replica that has joined its group takes "
              + "no further service. Set load-on-startup for the servlet that publishes it, or publish it earlier.");
    }
    if (bean == null || (Targets.hasSeveral(bean) && Targets.scopeOf(bean) == null)) {
      throw new ConfigurationException(
          "its requests reach different objects, as with the scope of a request, a session or a prototype, so there is no object "
              + "whose state could be replicated. Use one object for the endpoint (singleton scope).");
    }
    String address = address(server);
    if (!address.startsWith("/")) {
      throw new ConfigurationException(
          "its address is not one within the web application. Use an address like /hello, which CXF's servlet serves.");
    }
    AttachedEndpoint endpoint = new AttachedEndpoint(bus, server, behindProxies(bean), address, group, name);
    check.check(endpoint);
    List<String> missing = DeclaredInterceptors.missing(endpoint.implementation(), server.getEndpoint());
    if (!missing.isEmpty()) {
      LOG.warn("The endpoint {} does not have the interceptors {}, which {} declares by annotations: it is published with a proxy, and "
          + "CXF reads the annotations of the proxy's class. Requests are NOT checked by them. Give CXF the class by "
          + "EndpointImpl.setImplementorClass.", endpoint, missing, endpoint.implementation().getName());
    }
    endpoints.add(endpoint);
  }

  private static String address(Server server) {
    return new DestinationRegistryImpl().getTrimmedPath(server.getEndpoint().getEndpointInfo().getAddress());
  }

  /** Returns the class that implements the service. Does not create the object behind a proxy if the proxy's class shows it. */
  private static Class<?> typeOf(Bus bus, Object bean) {
    // CXF would look for an object of a scope that has none now.
    Class<?> type = Targets.typeOf(Targets.hasSeveral(bean) ? Targets.typeBehind(bean) : ClassHelper.getRealClass(bus, bean));
    if (!Targets.isGenerated(type)) {
      return type;
    }
    try {
      return Targets.typeOf(Targets.unwrap(bean).getClass());
    } catch (StateException e) {
      LOG.debug("The class behind {} is unknown.", type.getName(), e);
      return type;
    }
  }

  /** Returns the one object behind the proxies of Spring or CDI. */
  private static Object behindProxies(Object bean) throws ConfigurationException {
    try {
      Class<?> scope = Targets.scopeOf(bean);
      if (scope != null && !scope.getName().equals(APPLICATION_SCOPED)) {
        throw new ConfigurationException(
            "its bean has the scope @" + scope.getSimpleName() + ", which has more than one object or ends before the web application, "
                + "so there is no object whose state could be replicated. Use @ApplicationScoped.");
      }
      return Targets.unwrap(bean);
    } catch (StateException e) {
      throw new ConfigurationException(e.getMessage());
    }
  }

  private static String describe(Server server) {
    return server.getEndpoint().getEndpointInfo().getName() + " at " + server.getEndpoint().getEndpointInfo().getAddress();
  }
}
