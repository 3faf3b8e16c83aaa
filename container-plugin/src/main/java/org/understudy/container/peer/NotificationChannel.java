package org.understudy.container.peer;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.UnaryOperator;
import org.understudy.container.configuration.Configuration;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Message;
import org.understudy.replication.runtime.handshake.Credentials;

/**
 * The transfer mode {@code notification}: messages are WS-Notification messages, pushed to the consumer endpoint of the
 * other replica; acknowledgements come with its HTTP response or, when they are long, as notifications in the other
 * direction (Zhang et al. 2004, {@code notify_change_with_ack}).
 */
public final class NotificationChannel extends HttpChannel {
  /** @param credentials of this replica, and what it compares with its peers */
  public NotificationChannel(Configuration configuration, Credentials credentials) {
    this(configuration, credentials, UnaryOperator.identity());
  }

  /** @param route maps a peer's configured address to the address to connect to */
  NotificationChannel(Configuration configuration, Credentials credentials, UnaryOperator<InetSocketAddress> route) {
    super(configuration, credentials, route);
  }

  @Override
  public String name() {
    return "notification";
  }

  @Override
  public String action() {
    return "http://docs.oasis-open.org/wsn/bw-2/NotificationConsumer/Notify";
  }

  @Override
  public PeerEnvelope envelope(ReplicaId to, List<Message> messages) {
    return PeerEnvelope.notify(url(configuration.self()).toString(), url(to).toString(), messages, encoded);
  }
}
