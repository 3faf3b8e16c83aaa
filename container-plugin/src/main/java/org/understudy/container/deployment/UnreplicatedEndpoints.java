package org.understudy.container.deployment;

import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import org.apache.cxf.Bus;
import org.apache.cxf.endpoint.Server;
import org.apache.cxf.endpoint.ServerLifeCycleListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of every CXF endpoint in a web application with this plugin that is not the replicated one. CXF creates a listener for
 * each bus, whether Spring, a servlet of CXF or {@code Endpoint.publish} creates the bus.
 */
public final class UnreplicatedEndpoints implements ServerLifeCycleListener {
  private static final Logger LOG = LoggerFactory.getLogger(UnreplicatedEndpoints.class);
  private static final String OURS = "org.understudy.replicated";
  /** What is replicated in a web application, by its class loader; null: nothing. */
  private static final Map<ClassLoader, String> REPLICATED = Collections.synchronizedMap(new WeakHashMap<>());

  private final Bus bus;

  /** Called by CXF, see {@code META-INF/cxf/bus-extensions.txt}. */
  public UnreplicatedEndpoints(Bus bus) {
    this.bus = bus;
  }

  /** What is published on this bus is replicated. */
  static void accept(Bus ours) {
    ours.setProperty(OURS, true);
  }

  /**
   * The plugin was called for a web application.
   *
   * @param replicated what it replicates there, or null
   */
  static void started(ClassLoader application, String replicated) {
    REPLICATED.put(application, replicated);
  }

  static void ended(ClassLoader application) {
    REPLICATED.remove(application);
  }

  @Override
  public void startServer(Server server) {
    if (bus.getProperty(OURS) != null) {
      return;
    }
    ClassLoader application = Thread.currentThread().getContextClassLoader();
    String endpoint = server.getEndpoint().getEndpointInfo().getName() + " at " + server.getEndpoint().getEndpointInfo().getAddress();
    String replicated = REPLICATED.get(application);
    if (replicated != null) {
      LOG.warn("The endpoint {} is NOT replicated: of this web application only {} is. Deploy it in a web application of its "
          + "own, with understudy.service set.", endpoint, replicated);
    } else if (REPLICATED.containsKey(application)) {
      LOG.warn("The endpoint {} is NOT replicated: the web application sets neither understudy.service nor "
          + "understudy.broker.", endpoint);
    } else {
      LOG.warn("The endpoint {} is NOT replicated: Understudy's plugin is in the application, but the server has not called it. "
          + "An embedded server does not call initializers of jars; deploy a WAR on Tomcat.", endpoint);
    }
  }

  @Override
  public void stopServer(Server server) {
    // Nothing to say.
  }
}
