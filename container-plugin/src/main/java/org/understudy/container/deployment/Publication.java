package org.understudy.container.deployment;

import jakarta.servlet.Servlet;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.understudy.container.execution.KeyScope;
import org.understudy.container.request.Operations;
import org.understudy.wsrf.contract.PublishedContracts;
import org.understudy.wsrf.operation.Endpoint;
import org.understudy.wsrf.resource.ServiceHome;

/**
 * What one web application offers behind the filter: a service or a broker, with its resources and its subscriptions.
 *
 * @param path of the service's endpoint, within the application
 * @param scope of the keys of its resources
 * @param home where operations enter the resources
 * @param oneResource whether the service keeps its state in itself
 * @param endpoints the service's first
 * @param contracts null where the service's own stack publishes them
 * @param meters what is going on, by name; notifications have begun
 * @param rest stands behind the filter and answers what no standard operation does; null where a servlet of the application's
 *     own does
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

  /** A publication whose keys have no scope, behind a servlet of its own. */
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

  /** Whether the application's own stack publishes it. */
  boolean isAttached() {
    return rest == null;
  }
}
