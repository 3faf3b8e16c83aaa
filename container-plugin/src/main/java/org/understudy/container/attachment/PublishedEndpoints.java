package org.understudy.container.attachment;

import org.apache.cxf.Bus;
import org.apache.cxf.endpoint.Server;
import org.apache.cxf.endpoint.ServerLifeCycleListener;

/**
 * Passes every endpoint of a web application with this plugin to its {@link Attachments}. CXF creates one for each bus, whether
 * Spring, a servlet of CXF or {@code Endpoint.publish} creates the bus: see {@code META-INF/cxf/bus-extensions.txt}.
 */
public final class PublishedEndpoints implements ServerLifeCycleListener {
  private final Bus bus;

  /** Called by CXF. */
  public PublishedEndpoints(Bus bus) {
    this.bus = bus;
  }

  @Override
  public void startServer(Server server) {
    Attachments.started(bus, server);
  }

  @Override
  public void stopServer(Server server) {
    Attachments.stopped(bus, server);
  }
}
