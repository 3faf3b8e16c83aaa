package org.understudy.container.peer;

import java.util.List;
import org.understudy.container.configuration.Configuration;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Message;

/** The transfer mode {@code call}: {@code Deliver} of {@code peer.wsdl}; acknowledgements are in its response. */
public final class CallChannel extends HttpChannel {
  public CallChannel(Configuration configuration, PeerCredentials credentials) {
    super(configuration, credentials);
  }

  @Override
  public String name() {
    return "call";
  }

  @Override
  public String action() {
    return PeerEnvelope.NAMESPACE + "/Deliver";
  }

  @Override
  public PeerEnvelope envelope(ReplicaId to, List<Message> messages) {
    return PeerEnvelope.deliver(
        "Deliver", configuration.group(), configuration.self().number(), to.number(), messages, encoded);
  }
}
