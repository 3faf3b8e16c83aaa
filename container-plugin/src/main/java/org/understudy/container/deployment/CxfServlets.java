package org.understudy.container.deployment;

import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.cxf.Bus;
import org.apache.cxf.BusException;
import org.apache.cxf.transport.DestinationFactoryManager;
import org.apache.cxf.transport.http.HTTPTransportFactory;
import org.apache.cxf.transport.servlet.AbstractHTTPServlet;
import org.apache.cxf.transport.servlet.CXFNonSpringServlet;
import org.understudy.container.attachment.AttachedEndpoint;
import org.understudy.container.configuration.ConfigurationException;
import org.understudy.container.tomcat.TomcatApplication;

/** The servlets of CXF in the web application, each with the paths below which it serves endpoints. */
final class CxfServlets {
  private static final String HTTP = "http://cxf.apache.org/transports/http/configuration";

  /** The prefixes of each servlet by its name; the empty prefix stands for the whole application. */
  private final Map<String, Set<String>> prefixes = new TreeMap<>();
  private final Map<String, Servlet> loaded = new TreeMap<>();
  private final Set<String> failed = new TreeSet<>();

  private CxfServlets() {}

  /**
   * Finds the servlets.
   *
   * @param application the same application, or null when the server is not Tomcat: then any servlet of CXF may serve any endpoint
   */
  static CxfServlets of(ServletContext context, TomcatApplication application) {
    CxfServlets servlets = new CxfServlets();
    for (ServletRegistration servlet : context.getServletRegistrations().values()) {
      if (isOfCxf(servlet.getClassName(), context.getClassLoader())) {
        Set<String> below = new TreeSet<>();
        for (String mapping : servlet.getMappings()) {
          if (mapping.endsWith("/*")) {
            below.add(mapping.substring(0, mapping.length() - 2));
          }
        }
        servlets.prefixes.put(servlet.getName(), below);
        Servlet instance = application == null ? null : application.servlet(servlet.getName());
        if (instance != null) {
          servlets.loaded.put(servlet.getName(), instance);
        }
        if (application != null && application.isFailed(servlet.getName())) {
          servlets.failed.add(servlet.getName());
        }
      }
    }
    return servlets;
  }

  Set<String> names() {
    return prefixes.keySet();
  }

  /**
   * Returns the servlets that start with the application and have failed to, unless others serve all endpoints.
   *
   * @param endpoints that are replicated; if there is none, a servlet that failed was to publish it
   */
  Set<String> failed(List<AttachedEndpoint> endpoints) {
    boolean served = !endpoints.isEmpty()
        && endpoints.stream().allMatch(
            endpoint -> loaded.entrySet().stream().anyMatch(one -> !failed.contains(one.getKey()) && serves(one.getValue(), endpoint)));
    return served ? Set.of() : failed;
  }

  /**
   * Returns the paths of an endpoint within the web application, in a fixed order.
   *
   * @throws ConfigurationException when no servlet serves it
   */
  Set<String> pathsOf(AttachedEndpoint endpoint) throws ConfigurationException {
    Set<String> paths = find(endpoint);
    if (paths.isEmpty()) {
      throw new ConfigurationException(
          "The endpoint " + endpoint + " cannot be replicated: no servlet of CXF serves it in this web application. Map a servlet to a "
              + "path like /services/*, and publish the endpoint on the bus of that servlet.");
    }
    return paths;
  }

  /** Returns the paths of an endpoint, in a fixed order; none when no servlet serves it. */
  Set<String> find(AttachedEndpoint endpoint) {
    Set<String> paths = new TreeSet<>();
    prefixes.forEach((name, below) -> {
      if (serves(loaded.get(name), endpoint)) {
        below.forEach(prefix -> paths.add(prefix + endpoint.address()));
      }
    });
    return paths;
  }

  /** A servlet that is not loaded yet, or has no bus of its own, may serve any endpoint. */
  private static boolean serves(Servlet servlet, AttachedEndpoint endpoint) {
    if (!(servlet instanceof CXFNonSpringServlet known) || known.getBus() == null || known.getBus() == endpoint.bus()) {
      return true;
    }
    HTTPTransportFactory transport = transport(known.getBus());
    return transport != null && transport.getRegistry().getDestinations().contains(endpoint.server().getDestination());
  }

  private static HTTPTransportFactory transport(Bus bus) {
    try {
      DestinationFactoryManager factories = bus.getExtension(DestinationFactoryManager.class);
      return factories != null && factories.getDestinationFactory(HTTP) instanceof HTTPTransportFactory http ? http : null;
    } catch (BusException e) {
      // A bus without HTTP.
      return null;
    }
  }

  private static boolean isOfCxf(String className, ClassLoader application) {
    try {
      return className != null && AbstractHTTPServlet.class.isAssignableFrom(Class.forName(className, false, application));
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }
}
