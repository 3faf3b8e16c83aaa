package org.understudy.client;

import jakarta.xml.ws.BindingProvider;
import jakarta.xml.ws.Service;
import java.net.URI;
import java.net.URL;
import java.util.List;
import javax.xml.namespace.QName;
import org.apache.cxf.endpoint.Client;
import org.apache.cxf.frontend.ClientProxy;
import org.understudy.client.group.ReplicaGroup;
import org.understudy.client.transport.ReplicationConduitSelector;

/**
 * One client of a group of replicas: any number of ports that share a session, connections and one watching thread.
 * Thread-safe, as its ports are for operations. Close it to end the session.
 */
public final class FaultTolerantGroup implements AutoCloseable {
  private final ReplicaGroup group;

  FaultTolerantGroup(FaultTolerance settings) {
    this.group = new ReplicaGroup(settings);
  }

  /**
   * A plain port of the type, at the service itself. Reads the WSDL once; does not call the service.
   *
   * @param wsdl of the service; any replica's {@code ?wsdl} or a copy
   */
  public <T> T client(Class<T> type, URL wsdl, QName service) {
    T port = Service.create(wsdl, service).getPort(type);
    attach(port, group.settings().replicas().get(0));
    return port;
  }

  /**
   * A port for one WS-Resource.
   *
   * @param resource the address in its endpoint reference: a replica's address of the service and the resource's id
   */
  public <T> T client(Class<T> type, URL wsdl, QName service, URI resource) {
    T port = Service.create(wsdl, service).getPort(type);
    attach(port, resource);
    return port;
  }

  /** Makes any CXF proxy or Dispatch fault-tolerant, at the address that it has or this one. */
  public void attach(Object port, URI address) {
    ((BindingProvider) port)
        .getRequestContext()
        .put(BindingProvider.ENDPOINT_ADDRESS_PROPERTY, address.toString());
    Client client =
        port instanceof org.apache.cxf.jaxws.DispatchImpl<?> dispatch
            ? dispatch.getClient()
            : ClientProxy.getClient(port);
    attach(client);
  }

  void attach(Client client) {
    client.setConduitSelector(new ReplicationConduitSelector(client.getEndpoint(), group));
  }

  /** The replicas as last known, primary first. */
  public List<URI> replicas() {
    return group.replicas();
  }

  /** How many failovers this client has followed. */
  public long failovers() {
    return group.failovers();
  }

  /** How many answers were stored ones, of executions that an earlier attempt began. */
  public long replayed() {
    return group.replayed();
  }

  /** The header Server-Timing of the last answer that this thread got, or null. */
  public String lastServerTiming() {
    return group.lastServerTiming();
  }

  @Override
  public void close() {
    group.close();
  }
}
