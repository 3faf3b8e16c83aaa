package org.understudy.client.view;

import java.net.URI;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Holds the newest view that any replica reported to this client. Thread-safe; reading takes no lock, except while a server that
 * joined is to be tried.
 */
public final class KnownViews {
  private static final long MIX = 0x9e3779b97f4a7c15L;

  private final List<URI> configured;
  private final ConfiguredQueries queries;
  /** Determines which of several servers this client prefers; null for the first one. */
  private final Long seed;
  /** The server that the client wants while it serves; or null. */
  private final URI preferred;
  private final LongSupplier clock;
  private final List<ViewListener> listeners = new CopyOnWriteArrayList<>();
  /** Guarded by the lock. */
  private final Newcomers newcomers = new Newcomers();
  private volatile Known known;
  private volatile long highestEpoch;
  /** The server to which a replica has redirected this client, which is preferred then; or null. */
  private URI home;
  /** Written under the lock. */
  private volatile long failovers;

  /**
   * The view, all addresses, and the servers in the order in which they are tried: they change together.
   *
   * @param newcomers those servers that are newcomers
   * @param candidate the newcomer that would be the first server if it were not new; or null
   * @param until when the order of the servers changes, by the clock; null if it does not
   */
  private record Known(
      GroupView view, List<URI> addresses, List<URI> servers, Set<URI> newcomers, Candidate candidate, Long until) {}

  /** @param trial the time of its next trial, by the clock */
  private record Candidate(ReplicaAddress server, long trial) {}

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
   * another one that leaves changes nothing. A server that joins is a newcomer, and the last one to be tried, until it has
   * answered this client: its JVM runs the code of requests for the first time. {@link #claimTrial()} names it to the clients
   * that are its share, one by one within half a minute.
   *
   * @param preferred the server that is preferred whatever the seed, while it is one; null for none
   * @param clock nanoseconds from any origin
   */
  public KnownViews(List<URI> configured, Long seed, URI preferred, LongSupplier clock) {
    this.configured = List.copyOf(configured);
    this.queries = new ConfiguredQueries(configured);
    this.seed = seed;
    this.preferred = preferred == null ? null : queries.addedTo(preferred);
    this.clock = clock;
    this.known = new Known(GroupView.NONE, this.configured, List.of(), Set.of(), null, null);
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
   * Gives the caller the newcomer that this client would prefer, if it is time to try that with one request. Nobody else is given it for
   * some seconds.
   *
   * @return null for none
   */
  public URI claimTrial() {
    Candidate candidate = known.candidate;
    if (candidate == null || clock.getAsLong() - candidate.trial < 0) {
      return null;
    }
    return claimTrial(candidate.server) ? candidate.server.address() : null;
  }

  /** Whether the server is a newcomer. */
  public boolean isNewcomer(URI server) {
    return known.newcomers.contains(server);
  }

  /** As {@link #claimTrial()}, for this newcomer, of whichever client it is the share. Returns whether the caller is to try it. */
  public synchronized boolean claimTrial(ReplicaAddress newcomer) {
    boolean due = newcomers.claimTrial(newcomer.id(), clock.getAsLong());
    reorder();
    return due;
  }

  /** A server has answered a request: it is a newcomer no longer. */
  public void served(URI server) {
    if (!known.newcomers.contains(server)) {
      return;
    }
    synchronized (this) {
      known.view.replicas().stream().filter(one -> one.address().equals(server)).forEach(one -> newcomers.remove(one.id()));
      reorder();
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

  /** Ends the preference for this server, which does not answer. The configured one is tried again while it is a newcomer. */
  public synchronized void preferNoLonger(URI server) {
    boolean triedAgain = server.equals(preferred) && known.newcomers.contains(server);
    if (server.equals(home) && !triedAgain) {
      prefer(null);
    }
  }

  private void reorder() {
    known = known(known.view, known.addresses);
  }

  private Known known(GroupView view, List<URI> addresses) {
    long now = clock.getAsLong();
    newcomers.expire(now);
    List<ReplicaAddress> wanted = view.replicas().stream().filter(ReplicaAddress::isServer).sorted(order()).toList();
    Set<URI> joined =
        wanted.stream().filter(one -> newcomers.contains(one.id())).map(ReplicaAddress::address).collect(Collectors.toUnmodifiableSet());
    List<URI> servers = wanted.stream()
        .sorted(Comparator.comparing(one -> newcomers.contains(one.id()))).map(ReplicaAddress::address).distinct().toList();
    ReplicaAddress first = wanted.isEmpty() ? null : wanted.get(0);
    Candidate candidate =
        first == null || first.address().equals(servers.get(0)) ? null : new Candidate(first, newcomers.trial(first.id()));
    return new Known(view, addresses, servers, joined, candidate, newcomers.end(now));
  }

  /** By a hash of seed and number: each server has an equal share of the clients, and keeps it when another one leaves. */
  private Comparator<ReplicaAddress> order() {
    Comparator<ReplicaAddress> order = Comparator.comparing(replica -> !replica.address().equals(home));
    return seed == null ? order : order.thenComparing(replica -> mixed(replica.id()));
  }

  /** Records which servers join with this view, and when this client tries them. Others have served before, as far as known. */
  private void noteJoined(GroupView view) {
    Set<Integer> before = numbers(known.view);
    newcomers.retain(numbers(view));
    if (seed == null || before.isEmpty()) {
      return;
    }
    long now = clock.getAsLong();
    for (ReplicaAddress one : view.replicas()) {
      if (one.isServer() && !before.contains(one.id())) {
        newcomers.add(one.id(), now, one.address().equals(preferred) ? 0 : delay(one.id()));
      }
    }
  }

  private long delay(int joined) {
    // Of other bits than those that order the servers: the clients that prefer the server are to differ.
    double part = (mixed(~joined) >>> 11) * 0x1p-53;
    return Newcomers.MIN_DELAY_NANOS + (long) (part * (Newcomers.MAX_DELAY_NANOS - Newcomers.MIN_DELAY_NANOS));
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

  /**
   * Adopts a view if it is newer than the known one and no older than any epoch seen; otherwise ignores it. Its addresses get the
   * queries that are configured.
   */
  public void learn(GroupView told) {
    GroupView view;
    synchronized (this) {
      if (told.epoch() <= known.view.epoch() || told.epoch() < highestEpoch || told.replicas().isEmpty()) {
        return;
      }
      view = queries.addedTo(told);
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
