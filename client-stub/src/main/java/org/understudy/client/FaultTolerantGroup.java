package org.understudy.client;

import jakarta.xml.ws.EndpointReference;
import java.net.URI;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.apache.cxf.configuration.jsse.TLSClientParameters;
import org.apache.cxf.feature.AbstractFeature;
import org.understudy.client.connection.Access;
import org.understudy.client.connection.ConnectionSettings;
import org.understudy.client.connection.ProxySettings;
import org.understudy.client.connection.ReplicaConnections;
import org.understudy.client.envelope.Answer;
import org.understudy.client.invocation.Backoff;
import org.understudy.client.invocation.ClientContext;
import org.understudy.client.invocation.InFlightInvocations;
import org.understudy.client.invocation.InvocationFailedException;
import org.understudy.client.invocation.InvocationTask;
import org.understudy.client.invocation.Reachability;
import org.understudy.client.session.SeenVersions;
import org.understudy.client.session.Session;
import org.understudy.client.session.SessionKeeper;
import org.understudy.client.session.ViewWatcher;
import org.understudy.client.view.KnownViews;
import org.understudy.replication.api.Certainty;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.VersionHandles;
import org.understudy.thread.DaemonThreads;

/**
 * Any number of ports that share a session for each principal, one watcher for failovers, and their connections: a thousand
 * ports to a thousand resources need two threads.
 *
 * <p>Thread-safe. Nothing is connected and no thread runs before the first invocation; all threads are daemons. Close it
 * when its last port is no longer used.
 */
public final class FaultTolerantGroup implements AutoCloseable {
  private static final AtomicLong NUMBERS = new AtomicLong();

  private final FaultTolerance config;
  private final TLSClientParameters ownTls = new TLSClientParameters();
  private final String name = "understudy-client-" + NUMBERS.incrementAndGet();
  private final ClientContext carrier;
  private final SeenVersions versions = new SeenVersions();
  private final Map<Access, SessionKeeper> keepers = new ConcurrentHashMap<>();
  private final Map<ConnectionSettings, ReplicaConnections> connections = new ConcurrentHashMap<>();
  private final ScheduledThreadPoolExecutor clock;
  private final ThreadPoolExecutor callers;
  private final ViewWatcher watcher;
  private final PortBlueprints blueprints = new PortBlueprints();
  private final AtomicBoolean watching = new AtomicBoolean();
  private final AtomicInteger open = new AtomicInteger();
  private final LongAdder replayed = new LongAdder();
  private volatile Access access;
  private volatile boolean closed;

  FaultTolerantGroup(FaultTolerance config) {
    this.config = config;
    config.tls().ifPresent(ownTls::setSslContext);
    this.clock = new ScheduledThreadPoolExecutor(1, new DaemonThreads(name + "-sessions-"));
    clock.setRemoveOnCancelPolicy(true);
    clock.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    this.carrier = new ClientContext(
        config.responseTimeout(),
        new KnownViews(config.replicas(), config.jitter().nextLong(), config.preferred().orElse(null)),
        new Reachability(),
        new InFlightInvocations(),
        new Backoff(config.jitter()),
        clock);
    this.watcher = new ViewWatcher(carrier, config.awaitViewHold(), () -> access);
    carrier.views().addListener(carrier.open());
    carrier.views().addListener(watcher);
    this.callers = new ThreadPoolExecutor(config.asyncThreads(), config.asyncThreads(), 10, TimeUnit.SECONDS,
        new LinkedBlockingQueue<>(), new DaemonThreads(name + "-call-"));
    callers.allowCoreThreadTimeOut(true);
  }

  /**
   * A port of the service. Does not connect.
   *
   * @param type the service endpoint interface
   * @param wsdl a WSDL that has a SOAP port of that type; null to derive everything from annotations
   * @throws IllegalArgumentException when the WSDL has no such port
   */
  public <T> T client(Class<T> type, URL wsdl) {
    return blueprints.port(type, wsdl, ResourcePath.withoutQuery(config.replicas().get(0).toString()), feature());
  }

  /**
   * A port of one WS-Resource. It keeps the reference's path and sends its reference parameters, but goes to whichever
   * replica serves it.
   *
   * @param reference of a resource at any replica of this group, of which host and port don't matter: one of the service,
   *     or of an endpoint beside it, such as a subscription
   * @throws IllegalArgumentException when the WSDL has no such port, or the reference's address is neither below any
   *     replica's nor beside it
   */
  public <T> T client(Class<T> type, URL wsdl, EndpointReference reference) {
    ResourcePath resource = ResourcePath.of(reference, config.replicas());
    return blueprints.port(type, wsdl, resource.at(config.replicas().get(0)).toString(),
        new FaultTolerantFeature(new SharedGroup(this), resource));
  }

  /** Makes any JAX-WS proxy or Dispatch of CXF that is created with it a member of this group. */
  public AbstractFeature feature() {
    return new FaultTolerantFeature(new SharedGroup(this), null);
  }

  /**
   * The service's URL at every known replica: first those of the group's newest view, beginning with the preferred one, and
   * then configured ones that the view does not list. A caller that stores an endpoint reference stores these beside it.
   */
  public List<URI> replicas() {
    return carrier.views().addresses();
  }

  /**
   * The service's URL at the replicas that serve updates in the newest view that this client knows, in the order in which it tries
   * them; empty before the first answer. Does not block.
   */
  public List<URI> servers() {
    return carrier.views().servers();
  }

  /**
   * The versions that this client has seen in answers and by {@link #mergeVersions}. Pass them to another client of the
   * same group, as an object or by {@link VersionHandles#toString()}, so that its reads with the level {@link
   * org.understudy.replication.api.ReadLevel#SESSION} show at least as much. Does not block.
   */
  public VersionHandles versions() {
    return versions.all();
  }

  /**
   * Merges what another client of the same group has seen. Later session reads show at least that, at any replica: one that
   * has not applied it yet lets them wait, until the deadline if necessary. Merge only versions of clients that you trust,
   * and never those of another group. Does not block.
   *
   * @param seen what {@link #versions()} of the other client returned, or {@link VersionHandles#parse} read
   */
  public void mergeVersions(VersionHandles seen) {
    versions.saw(seen);
  }

  /** The number of times that this client has switched to another replica, because a view has its former one no longer. */
  public long failovers() {
    return carrier.views().failovers();
  }

  /** The number of answers replayed from executions that an earlier attempt began. */
  public long replayed() {
    return replayed.sum();
  }

  FaultTolerance config() {
    return config;
  }

  /**
   * Admits an invocation.
   *
   * @throws InvocationFailedException when too many are open
   */
  void admit() throws InvocationFailedException {
    if (open.incrementAndGet() > config.maxOpenInvocations()) {
      open.decrementAndGet();
      throw new InvocationFailedException("More than " + config.maxOpenInvocations() + " invocations are in progress",
          List.of(), Certainty.NOT_EXECUTED, FailureCode.Overloaded, null);
    }
  }

  /** Runs an admitted invocation on a thread of the group. */
  void submit(Runnable call) throws InvocationFailedException {
    try {
      callers.execute(call);
    } catch (RejectedExecutionException e) {
      open.decrementAndGet();
      throw closedFailure();
    }
  }

  /** Runs an admitted invocation to its end. Blocks, at most until its deadline. */
  Answer invoke(Invocation invocation) throws InvocationFailedException {
    try {
      if (closed) {
        throw closedFailure();
      }
      SessionKeeper keeper = keeper(invocation.access());
      Session session = keeper.obtain(invocation.deadline());
      watch();
      return invoke(invocation, keeper, session);
    } finally {
      open.decrementAndGet();
    }
  }

  private Answer invoke(Invocation invocation, SessionKeeper keeper, Session session)
      throws InvocationFailedException {
    long sequence = session.window().begin();
    try {
      InvocationRequest letter = new InvocationRequest(invocation, session, sequence, versions, carrier.views());
      long deadline = invocation.timeouts().deadline(System.nanoTime(), invocation.deadline());
      Answer answer = new InvocationTask(carrier, letter, deadline).deliver();
      versions.saw(answer.versions());
      if (answer.replayed()) {
        replayed.increment();
      }
      return answer;
    } catch (InvocationFailedException e) {
      if (e.code().filter(FailureCode.SessionExpired::equals).isPresent()) {
        keeper.expired(session);
      }
      throw e;
    } finally {
      session.window().complete(sequence);
    }
  }

  private SessionKeeper keeper(Access principal) {
    SessionKeeper keeper = keepers.get(principal);
    if (keeper == null) {
      access = principal;
      keeper = keepers.computeIfAbsent(principal, absent -> new SessionKeeper(carrier, versions, principal));
    }
    return keeper;
  }

  /**
   * The connections with these settings, which ports share.
   *
   * @param tls of the port; null for those of the group
   */
  ReplicaConnections connections(TLSClientParameters tls, ProxySettings proxy) {
    // Session traffic and the watcher use connections apart from those of invocations.
    ConnectionSettings settings = new ConnectionSettings(
        config.connectTimeout(), config.maxOpenInvocations() + 4, config.maxResponseBytes(), tls == null ? ownTls : tls, proxy);
    ReplicaConnections known = connections.get(settings);
    return known == null ? connections.computeIfAbsent(settings, ReplicaConnections::new) : known;
  }

  private void watch() {
    if (!watching.get() && watching.compareAndSet(false, true)) {
      DaemonThreads.daemon(name + "-views", watcher).start();
    }
  }

  private static InvocationFailedException closedFailure() {
    return new InvocationFailedException(
        "The fault-tolerant client was closed", List.of(), Certainty.NOT_EXECUTED, null, null);
  }

  /**
   * Ends every open invocation with {@link InvocationFailedException}, closes the sessions (for at most half a second
   * each), the connections and the threads. Ports of the group cannot be used any more. Closing twice does nothing.
   */
  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    List<Runnable> queued = new ArrayList<>();
    callers.getQueue().drainTo(queued);
    callers.shutdown();
    carrier.open().abandon();
    queued.forEach(Runnable::run);
    keepers.values().forEach(SessionKeeper::close);
    watcher.close();
    clock.shutdownNow();
    connections.values().forEach(ReplicaConnections::close);
  }
}
