package org.understudy.container.peer;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.UnaryOperator;
import org.understudy.container.configuration.Configuration;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Message;
import org.understudy.replication.runtime.handshake.Credentials;

/** The transfer mode {@code call}: {@code Deliver} of {@code peer.wsdl}, with the acknowledgements in its response. */
public final class CallChannel extends HttpChannel {
  /** @param credentials of this replica, and what it compares with its peers */
  public CallChannel(Configuration configuration, Credentials credentials) {
    this(configuration, credentials, UnaryOperator.identity());
  }

  /** @param route maps a peer's configured address to the address to connect to */
  CallChannel(Configuration configuration, Credentials credentials, UnaryOperator<InetSocketAddress> route) {
    super(configuration, credentials, route);
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
