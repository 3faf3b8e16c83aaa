package org.understudy.container.deployment;

import jakarta.servlet.Servlet;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.understudy.container.execution.KeyScope;
import org.understudy.container.operation.Operations;
import org.understudy.wsrf.contract.PublishedContracts;
import org.understudy.wsrf.operation.Endpoint;
import org.understudy.wsrf.resource.ServiceHome;

/**
 * A service or a broker of a web application, with its resources, its subscriptions and its endpoints.
 *
 * @param path the path of the service's endpoint within the application
 * @param scope the scope of the keys of its resources
 * @param home the home through which operations access the resources
 * @param oneResource whether the service object itself is the only resource
 * @param endpoints all endpoints, the service's first
 * @param contracts null when the service's own stack publishes them
 * @param meters the meters by name
 * @param rest the servlet for requests that are not standard operations; null when a servlet of the application serves them
 */
public record Publication(
    String path,
    KeyScope scope,
    ServiceHome home,
    boolean oneResource,
    Operations operations,
    List<Endpoint> endpoints,
    PublishedContracts contracts,
    Map<String, LongSupplier> meters,
    Servlet rest) {

  /** Creates a publication whose keys have no scope, with a servlet of the plugin. */
  public Publication(
      String path,
      ServiceHome home,
      boolean oneResource,
      Operations operations,
      List<Endpoint> endpoints,
      PublishedContracts contracts,
      Map<String, LongSupplier> meters,
      Servlet rest) {
    this(path, KeyScope.NONE, home, oneResource, operations, endpoints, contracts, meters, rest);
  }

  /** Whether the application publishes the service itself. */
  boolean isAttached() {
    return rest == null;
  }
}
