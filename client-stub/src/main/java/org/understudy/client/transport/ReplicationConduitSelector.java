package org.understudy.client.transport;

import org.apache.cxf.endpoint.ConduitSelector;
import org.apache.cxf.endpoint.Endpoint;
import org.apache.cxf.message.Exchange;
import org.apache.cxf.message.Message;
import org.apache.cxf.transport.Conduit;
import org.understudy.client.group.ReplicaGroup;

/** Gives every message of a client our conduit. */
public final class ReplicationConduitSelector implements ConduitSelector {
  private Endpoint endpoint;
  private final ReplicationConduit conduit;

  public ReplicationConduitSelector(Endpoint endpoint, ReplicaGroup group) {
    this.endpoint = endpoint;
    this.conduit = new ReplicationConduit(endpoint.getEndpointInfo(), group);
  }

  @Override
  public void prepare(Message message) {}

  @Override
  public Conduit selectConduit(Message message) {
    return conduit;
  }

  @Override
  public void complete(Exchange exchange) {}

  @Override
  public Endpoint getEndpoint() {
    return endpoint;
  }

  @Override
  public void setEndpoint(Endpoint endpoint) {
    this.endpoint = endpoint;
  }
}
