package org.understudy.container.attachment;

import org.apache.cxf.Bus;
import org.apache.cxf.endpoint.Server;

/**
 * A replicated endpoint that the application publishes itself.
 *
 * @param bus the bus on which it is published
 * @param server the CXF server that publishes it
 * @param bean its service object, without the proxies of a container
 * @param address the published address, relative to the servlet of CXF
 * @param name the name under which the group keeps the service's state; empty when the application sets none
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
