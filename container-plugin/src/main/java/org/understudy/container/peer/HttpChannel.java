package org.understudy.container.peer;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.understudy.container.configuration.Configuration;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Message;
import org.understudy.replication.runtime.PeerChannel;
import org.understudy.replication.runtime.PeerReceiver;

/** A channel whose messages are POSTed to {@code /peer} of each other replica's web application. */
abstract class HttpChannel implements PeerChannel, HttpLink.Mode {
  protected final Configuration configuration;
  private final PeerCredentials credentials;
  private final Map<ReplicaId, HttpLink> links = new TreeMap<>();

  HttpChannel(Configuration configuration, PeerCredentials credentials) {
    this.configuration = configuration;
    this.credentials = credentials;
  }

  final URI address(ReplicaId replica) {
    return URI.create(configuration.url(replica) + "/peer");
  }

  @Override
  public void open(PeerReceiver receiver) {
    for (ReplicaId peer : configuration.replicas()) {
      if (!peer.equals(configuration.self())) {
        links.put(peer, new HttpLink(peer, address(peer), credentials.to(peer), this, receiver));
      }
    }
    links.values().forEach(HttpLink::start);
  }

  @Override
  public void send(ReplicaId to, List<Message> messages) {
    links.get(to).send(messages);
  }

  @Override
  public void close() {
    links.values().forEach(HttpLink::close);
  }
}
