package org.understudy.client.view;

import java.net.URI;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Holds the newest view that any replica reported to this client. Thread-safe; reading takes no lock, except when clients may move to
 * a server that joined.
 */
public final class KnownViews {
  /** How long a server that joins the view is the last one to be tried, at least. */
  static final long MIN_SLOW_START_NANOS = TimeUnit.SECONDS.toNanos(2);
  /** The same, at most. */
  static final long MAX_SLOW_START_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static final long MIX = 0x9e3779b97f4a7c15L;

  private final List<URI> configured;
  /** Determines which of several servers this client prefers; null for the first one. */
  private final Long seed;
  /** The server that the client wants while it serves; or null. */
  private final URI preferred;
  private final LongSupplier clock;
  private final List<ViewListener> listeners = new CopyOnWriteArrayList<>();
  /** The servers that joined lately, by number, and until when they are the last ones to be tried. Guarded by the lock. */
  private final Map<Integer, Long> slowStarts = new HashMap<>();
  private volatile Known known;
  private volatile long highestEpoch;
  /** The server to which a replica has redirected this client, which is preferred then; or null. */
  private URI home;
  /** Written under the lock. */
  private volatile long failovers;

  /**
   * The view, all addresses, and the servers in the order in which they are tried: they change together.
   *
   * @param until when the order of the servers changes, by the clock; null if it does not
   */
  private record Known(GroupView view, List<URI> addresses, List<URI> servers, Long until) {}

  /** Prefers the first one of several servers. */
  public KnownViews(List<URI> configured) {
    this(configured, null, null);
  }

  /** See {@link #KnownViews(List, Long, URI, LongSupplier)}; by the clock of this JVM. */
  public KnownViews(List<URI> configured, Long seed, URI preferred) {
    this(configured, seed, preferred, System::nanoTime);
  }

  /**
   * Prefers one of several servers by the seed, so that clients with different seeds spread. While that server remains in the view,
   * another one that leaves changes nothing. A server that joins gets its share of the clients one by one, within half a minute: its
   * JVM runs the code of requests for the first time.
   *
   * @param preferred the server that is preferred whatever the seed, while it is one, and at once; null for none
   * @param clock nanoseconds from any origin
   */
  public KnownViews(List<URI> configured, Long seed, URI preferred, LongSupplier clock) {
    this.configured = List.copyOf(configured);
    this.seed = seed;
    this.preferred = preferred;
    this.clock = clock;
    this.known = new Known(GroupView.NONE, this.configured, List.of(), null);
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
    Known now = known;
    if (now.until == null || clock.getAsLong() - now.until < 0) {
      return now.servers;
    }
    synchronized (this) {
      reorder();
      return known.servers;
    }
  }

  /**
   * Prefers this server from now on, to which a replica with more load has redirected the client.
   *
   * @param server null for none
   */
  public synchronized void prefer(URI server) {
    home = server;
    reorder();
  }

  /** Ends the preference for this server, which does not answer. */
  public synchronized void preferNoLonger(URI server) {
    if (server.equals(home)) {
      prefer(null);
    }
  }

  private void reorder() {
    known = known(known.view, known.addresses);
  }

  private Known known(GroupView view, List<URI> addresses) {
    long now = clock.getAsLong();
    slowStarts.values().removeIf(until -> now - until >= 0);
    Long next = slowStarts.values().stream().min(Comparator.comparingLong(until -> until - now)).orElse(null);
    return new Known(view, addresses, servers(view), next);
  }

  /** Ordered by a hash of seed and number: each server has an equal share of the clients, and keeps it when another one leaves. */
  private List<URI> servers(GroupView view) {
    Comparator<ReplicaAddress> order = Comparator.comparing(replica -> !replica.address().equals(home));
    if (seed != null) {
      order = order.thenComparing(replica -> slowStarts.containsKey(replica.id())).thenComparing(replica -> mixed(replica.id()));
    }
    return view.replicas().stream().filter(ReplicaAddress::isServer).sorted(order).map(ReplicaAddress::address).distinct().toList();
  }

  /** Records which servers join with this view, and when this client may prefer them. Others have served before, as far as known. */
  private void noteJoined(GroupView view) {
    Set<Integer> before = numbers(known.view);
    Set<Integer> after = numbers(view);
    slowStarts.keySet().retainAll(after);
    if (seed == null || before.isEmpty()) {
      return;
    }
    after.removeAll(before);
    for (int joined : after) {
      // Of other bits than those that order the servers: the clients that prefer the server are to differ.
      double part = (mixed(~joined) >>> 11) * 0x1p-53;
      long delay = MIN_SLOW_START_NANOS + (long) (part * (MAX_SLOW_START_NANOS - MIN_SLOW_START_NANOS));
      slowStarts.put(joined, clock.getAsLong() + delay);
    }
  }

  private static Set<Integer> numbers(GroupView view) {
    Set<Integer> numbers = new HashSet<>();
    for (ReplicaAddress replica : view.replicas()) {
      if (replica.isServer()) {
        numbers.add(replica.id());
      }
    }
    return numbers;
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
      noteJoined(view);
      known = known(view, List.copyOf(addresses));
    }
    for (ViewListener listener : listeners) {
      listener.viewChanged(view);
    }
  }
}
