package org.understudy.container.attachment;

import org.apache.cxf.Bus;
import org.apache.cxf.endpoint.Server;

/**
 * An endpoint of the application's own that is to be replicated.
 *
 * @param bus on which it is published
 * @param server publishes it
 * @param bean its object, as the application has made it: behind the proxies of a container, if it has any
 * @param address within the servlet that serves it, as it was published
 * @param name under which the group keeps the service's state; empty when the application sets none
 */
public record AttachedEndpoint(Bus bus, Server server, Object bean, String address, String name) {
  /** The class that implements the service, without proxies. */
  public Class<?> implementation() {
    return bean.getClass();
  }

  @Override
  public String toString() {
    return server.getEndpoint().getEndpointInfo().getName() + " at " + address;
  }
}
