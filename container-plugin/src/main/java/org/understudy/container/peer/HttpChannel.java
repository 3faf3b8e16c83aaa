package org.understudy.container.peer;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.understudy.container.configuration.Configuration;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Message;
import org.understudy.replication.runtime.PeerChannel;
import org.understudy.replication.runtime.PeerReceiver;

/**
 * A channel whose messages are POSTed to each other replica: to its peer address where the configuration has one, else to
 * {@code /peer} of its web application.
 */
abstract class HttpChannel implements PeerChannel, HttpLink.Mode {
  protected final Configuration configuration;
  protected final Binaries encoded = new Binaries();
  private final PeerCredentials credentials;
  private final Map<ReplicaId, HttpLink> links = new TreeMap<>();
  private PeerListener listener;

  HttpChannel(Configuration configuration, PeerCredentials credentials) {
    this.configuration = configuration;
    this.credentials = credentials;
  }

  final URI address(ReplicaId replica) {
    InetSocketAddress own = configuration.peers().get(replica);
    return own == null
        ? URI.create(configuration.url(replica) + "/peer")
        : URI.create("http://" + own.getHostString() + ":" + own.getPort() + "/peer");
  }

  @Override
  public void open(PeerReceiver receiver) throws IOException {
    InetSocketAddress own = configuration.peers().get(configuration.self());
    if (own != null) {
      listener = new PeerListener(new PeerExchange(configuration, credentials, receiver, this));
      listener.start(own);
    }
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
    if (listener != null) {
      listener.close();
    }
    links.values().forEach(HttpLink::awaitEnd);
  }
}
