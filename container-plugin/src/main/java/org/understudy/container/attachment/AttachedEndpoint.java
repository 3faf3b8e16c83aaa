package org.understudy.container.attachment;

import org.apache.cxf.Bus;
import org.apache.cxf.endpoint.Server;
import org.understudy.state.Targets;

/**
 * An endpoint that the application publishes itself, usually a replicated one.
 *
 * @param bus the bus on which it is published
 * @param server the CXF server that publishes it
 * @param bean its service object, behind the proxies of a container; its class may be a subclass that a container has generated
 * @param address the published address, relative to the servlet of CXF
 * @param group the name of its group within the web application; empty for the only one
 * @param name the name under which the group keeps the service's state; empty when the application sets none
 */
public record AttachedEndpoint(Bus bus, Server server, Object bean, String address, String group, String name) {
  /** The class that implements the service, without the subclass of a container. */
  public Class<?> implementation() {
    return Targets.typeOf(bean.getClass());
  }

  @Override
  public String toString() {
    return server.getEndpoint().getEndpointInfo().getName() + " at " + address;
  }
}
