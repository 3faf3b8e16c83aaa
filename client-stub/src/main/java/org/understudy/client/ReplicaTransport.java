package org.understudy.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.cxf.Bus;
import org.apache.cxf.endpoint.Endpoint;
import org.apache.cxf.service.model.EndpointInfo;
import org.apache.cxf.transport.http.HTTPConduitFactory;
import org.apache.cxf.transport.http.HTTPTransportFactory;

/**
 * Makes conduits as CXF's HTTP transport makes them: configured by Spring's {@code http-conf:conduit}, by an
 * {@code HTTPConduitConfigurer}, and by the WSDL.
 */
final class ReplicaTransport extends HTTPTransportFactory {
  private final FaultTolerantGroup group;
  private final Endpoint endpoint;
  private final ResourcePath resource;

  private ReplicaTransport(FaultTolerantGroup group, Endpoint endpoint, ResourcePath resource) {
    this.group = group;
    this.endpoint = endpoint;
    this.resource = resource;
  }

  static ReplicaConduit conduit(FaultTolerantGroup group, Endpoint endpoint, ResourcePath resource, Bus bus) {
    try {
      return (ReplicaConduit) new ReplicaTransport(group, endpoint, resource).getConduit(endpoint.getEndpointInfo(), bus);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  protected HTTPConduitFactory findFactory(EndpointInfo info, Bus bus) {
    return (transport, configured, served, target) -> new ReplicaConduit(group, endpoint, resource, configured);
  }
}
