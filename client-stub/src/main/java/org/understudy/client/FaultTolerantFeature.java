package org.understudy.client;

import org.apache.cxf.Bus;
import org.apache.cxf.endpoint.Client;
import org.apache.cxf.feature.AbstractFeature;
import org.apache.cxf.jaxb.JAXBDataBinding;
import org.apache.cxf.logging.FaultListener;
import org.understudy.client.invocation.InvocationFailedException;

/** Replaces the conduit of one client, not of the whole bus, by the fault-tolerant one. */
final class FaultTolerantFeature extends AbstractFeature {
  /** The application receives the exception of a failed invocation and decides whether to log it. */
  private static final FaultListener QUIET =
      (exception, description, message) -> InvocationFailedException.in(exception).isEmpty();

  private final SharedGroup shared;
  private final ResourcePath resource;

  /**
   * @param resource null when the endpoint's address names it
   */
  FaultTolerantFeature(SharedGroup shared, ResourcePath resource) {
    this.shared = shared;
    this.resource = resource;
  }

  @Override
  public void initialize(Client client, Bus bus) {
    FaultTolerantGroup group = shared.join();
    ReplicaConduit conduit = ReplicaTransport.conduit(group, client.getEndpoint(), resource, bus);
    client.setConduitSelector(new ReplicaConduitSelector(client.getEndpoint(), conduit, shared));
    client.getOutInterceptors().add(new UnsentParameters());
    if (bus.getProperty(JAXBDataBinding.READER_VALIDATION_EVENT_HANDLER) == null
        && bus.getProperty(JAXBDataBinding.VALIDATION_EVENT_HANDLER) == null) {
      client.getEndpoint().putIfAbsent(JAXBDataBinding.READER_VALIDATION_EVENT_HANDLER, new UnknownElements());
    }
    client.getEndpoint().put(FaultListener.class.getName(), QUIET);
  }
}
