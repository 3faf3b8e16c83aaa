package org.understudy.client;

import java.io.Closeable;
import org.apache.cxf.endpoint.ConduitSelector;
import org.apache.cxf.endpoint.Endpoint;
import org.apache.cxf.message.Exchange;
import org.apache.cxf.message.Message;
import org.apache.cxf.transport.Conduit;

/** Selects the one conduit, which chooses a replica for each attempt itself. */
final class ReplicaConduitSelector implements ConduitSelector, Closeable {
  private final ReplicaConduit conduit;
  private final SharedGroup shared;
  private volatile Endpoint endpoint;
  private boolean closed;

  ReplicaConduitSelector(Endpoint endpoint, ReplicaConduit conduit, SharedGroup shared) {
    this.endpoint = endpoint;
    this.conduit = conduit;
    this.shared = shared;
  }

  @Override
  public void prepare(Message message) {
    message.put(Conduit.class, conduit);
  }

  @Override
  public Conduit selectConduit(Message message) {
    message.put(Conduit.class, conduit);
    return conduit;
  }

  @Override
  public void complete(Exchange exchange) {
    // The answer is in memory and its connection back in the pool.
  }

  ReplicaConduit conduit() {
    return conduit;
  }

  @Override
  public Endpoint getEndpoint() {
    return endpoint;
  }

  @Override
  public void setEndpoint(Endpoint other) {
    endpoint = other;
  }

  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    shared.leave();
  }
}
