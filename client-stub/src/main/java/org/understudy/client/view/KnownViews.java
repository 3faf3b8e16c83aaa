package org.understudy.client.view;

import java.net.URI;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** Holds the newest view that any replica reported to this client. Thread-safe; reading takes no lock. */
public final class KnownViews {
  private static final long MIX = 0x9e3779b97f4a7c15L;

  private final List<URI> configured;
  /** Determines which of several servers this client prefers; null for the first one. */
  private final Long seed;
  /** The server that the client wants while it serves; or null. */
  private final URI preferred;
  private final List<ViewListener> listeners = new CopyOnWriteArrayList<>();
  private volatile Known known;
  private volatile long highestEpoch;
  /** The server to which a replica has redirected this client, which is preferred then; or null. */
  private URI home;
  /** Written under the lock. */
  private volatile long failovers;

  /** The view, all addresses, and the servers in the order in which they are tried: they change together. */
  private record Known(GroupView view, List<URI> addresses, List<URI> servers) {}

  /** Prefers the first one of several servers. */
  public KnownViews(List<URI> configured) {
    this(configured, null, null);
  }

  /**
   * Prefers one of several servers by the seed, so that clients with different seeds spread. While that server remains in the view, a
   * change of the view changes nothing.
   *
   * @param preferred the server that is preferred whatever the seed, while it is one; null for none
   */
  public KnownViews(List<URI> configured, Long seed, URI preferred) {
    this.configured = List.copyOf(configured);
    this.seed = seed;
    this.preferred = preferred;
    this.known = new Known(GroupView.NONE, this.configured, List.of());
  }

  public GroupView current() {
    return known.view;
  }

  /** Every known replica: those of the view in its order, then configured ones that it does not list. Never empty. */
  public List<URI> addresses() {
    return known.addresses;
  }

  /** The replicas that serve requests in the current view, in the order in which this client tries them; empty when unknown. */
  public List<URI> servers() {
    return known.servers;
  }

  /**
   * Prefers this server from now on, to which a replica with more load has redirected the client.
   *
   * @param server null for none
   */
  public synchronized void prefer(URI server) {
    home = server;
    known = new Known(known.view, known.addresses, servers(known.view));
  }

  /** Ends the preference for this server, which does not answer. */
  public synchronized void preferNoLonger(URI server) {
    if (server.equals(home)) {
      prefer(null);
    }
  }

  /** Ordered by a hash of seed and number: each server has an equal share of the clients, and keeps it when another one leaves. */
  private List<URI> servers(GroupView view) {
    Comparator<ReplicaAddress> order = Comparator.comparing(replica -> !replica.address().equals(home));
    if (seed != null) {
      order = order.thenComparing(replica -> mixed(replica.id()));
    }
    return view.replicas().stream().filter(ReplicaAddress::isServer).sorted(order).map(ReplicaAddress::address).distinct().toList();
  }

  private long mixed(int replica) {
    long value = (seed ^ replica * MIX) * MIX;
    value = (value ^ value >>> 32) * MIX;
    return value ^ value >>> 29;
  }

  /** The number of views in which the server that this client preferred served no longer. */
  public long failovers() {
    return failovers;
  }

  /** The highest epoch in any response; views below it are stale. */
  public long highestEpoch() {
    return highestEpoch;
  }

  public void addListener(ViewListener listener) {
    listeners.add(listener);
  }

  /** Records an epoch whose view is unknown yet. */
  public void sawEpoch(long epoch) {
    if (epoch > highestEpoch) {
      synchronized (this) {
        highestEpoch = Math.max(highestEpoch, epoch);
      }
    }
  }

  /** Adopts a view if it is newer than the known one and no older than any epoch seen; otherwise ignores it. */
  public void learn(GroupView view) {
    synchronized (this) {
      if (view.epoch() <= known.view.epoch() || view.epoch() < highestEpoch || view.replicas().isEmpty()) {
        return;
      }
      highestEpoch = view.epoch();
      Set<URI> addresses = new LinkedHashSet<>();
      view.replicas().forEach(replica -> addresses.add(replica.address()));
      addresses.addAll(configured);
      if (!known.servers.isEmpty() && !view.isServer(known.servers.get(0))) {
        failovers = failovers + 1;
      }
      home = view.isServer(home) ? home : preferred;
      known = new Known(view, List.copyOf(addresses), servers(view));
    }
    for (ViewListener listener : listeners) {
      listener.viewChanged(view);
    }
  }
}
