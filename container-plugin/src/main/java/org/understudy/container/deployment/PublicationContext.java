package org.understudy.container.deployment;

import java.util.function.Supplier;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.configuration.ConfigurationException;
import org.understudy.replication.api.StateCapture;
import org.understudy.replication.core.KeyKind;
import org.understudy.replication.runtime.Replica;
import org.understudy.wsrf.operation.Endpoint;
import org.understudy.wsrf.resource.Resources;
import org.understudy.wsrf.resource.ServiceHome;

/**
 * What a publication is built on.
 *
 * @param replica is open, and has not joined its group yet
 * @param closer gets what the publication opens, also when it fails later
 */
public record PublicationContext(Configuration configuration, Replica replica, Closer closer) {
  /**
   * Returns the resources of an endpoint.
   *
   * @param path of the endpoint within the web application
   * @param fresh makes an empty state object
   */
  public Resources resources(String path, Supplier<StateCapture> fresh) {
    return new Resources(
        replica,
        configuration.replicated(),
        fresh,
        configuration.url(configuration.self()) + path,
        KeyKind.REACH * configuration.resources());
  }

  /** Returns the home through which operations enter the resources. */
  public ServiceHome home(Resources resources) {
    return new ServiceHome(resources, configuration.execution());
  }

  /**
   * Surrounds resources with WSRF 1.2, until the deployment is closed.
   *
   * @param service where the resources are
   * @throws ConfigurationException when the rules of the service group are invalid
   */
  public WsResources standards(Resources resources, Endpoint service) throws ConfigurationException {
    WsResources standards = new WsResources(configuration, replica, resources, service);
    closer.add(standards::close);
    return standards;
  }
}
