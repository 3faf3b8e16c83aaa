package org.understudy.container.peer;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.container.configuration.Configuration;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Message;
import org.understudy.replication.runtime.handshake.Credentials;
import org.understudy.replication.runtime.peer.PeerChannel;
import org.understudy.replication.runtime.peer.PeerReceiver;
import org.understudy.thread.DaemonThreads;
import org.understudy.thread.RepeatedTask;
import org.understudy.thread.Threads;

/** A channel whose messages are POSTed to the peer address of each other replica. */
abstract class HttpChannel implements PeerChannel, HttpLink.Mode {
  private static final Logger LOG = LoggerFactory.getLogger(HttpChannel.class);
  private static final int CHECKS_PER_SUSPICION = 8;

  protected final Configuration configuration;
  protected final EncodedMessageCache encoded = new EncodedMessageCache();
  private final Credentials credentials;
  private final Map<ReplicaId, HttpLink> links = new TreeMap<>();
  private final UnaryOperator<InetSocketAddress> route;
  private PeerListener listener;
  private ScheduledExecutorService clock;

  HttpChannel(Configuration configuration, Credentials credentials, UnaryOperator<InetSocketAddress> route) {
    this.configuration = configuration;
    this.credentials = credentials;
    this.route = route;
  }

  final URI url(ReplicaId replica) {
    InetSocketAddress own = configuration.peers().get(replica);
    String scheme = configuration.peerTls() == null ? "http" : "https";
    return URI.create(scheme + "://" + own.getHostString() + ":" + own.getPort() + "/peer");
  }

  @Override
  public void open(PeerReceiver receiver) throws IOException {
    listener = new PeerListener(configuration, credentials, new PeerExchange(configuration, receiver, this));
    for (ReplicaId peer : configuration.replicas()) {
      if (!peer.equals(configuration.self())) {
        InetSocketAddress routed = route.apply(configuration.peers().get(peer));
        HttpLink.Target target =
            new HttpLink.Target(peer, url(peer), routed, configuration.peerTls(), credentials);
        links.put(peer, new HttpLink(target, configuration.suspicion(), this, receiver));
      }
    }
    listener.open();
    clock =
        Executors.newSingleThreadScheduledExecutor(new DaemonThreads("understudy-links-"));
  }

  @Override
  public void start() {
    listener.start();
    links.values().forEach(HttpLink::start);
    long interval = Math.max(2_000_000, configuration.suspicion().toNanos() / CHECKS_PER_SUSPICION);
    try {
      links.forEach((peer, link) ->
          clock.scheduleWithFixedDelay(
              new RepeatedTask("The check of the link to replica " + peer, () -> link.check(System.nanoTime())),
              interval, interval, TimeUnit.NANOSECONDS));
    } catch (RejectedExecutionException e) {
      LOG.debug("The channel was closed before it started.", e);
    }
  }

  @Override
  public void send(ReplicaId to, List<Message> messages) {
    links.get(to).send(messages);
  }

  @Override
  public int wire(ReplicaId peer) {
    HttpLink link = links.get(peer);
    return link == null ? 0 : link.wireVersion();
  }

  @Override
  public String address(ReplicaId peer) {
    return url(peer).getAuthority();
  }

  @Override
  public List<String> refusals() {
    return links.values().stream().map(HttpLink::refusal).filter(Objects::nonNull).toList();
  }

  @Override
  public void close() {
    if (clock != null) {
      clock.shutdownNow();
    }
    links.values().forEach(HttpLink::close);
    if (listener != null) {
      listener.close();
    }
    links.values().forEach(HttpLink::awaitEnd);
    if (clock != null) {
      Threads.join("The clock of the links", clock);
    }
  }
}
