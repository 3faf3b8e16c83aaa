package org.understudy.client.group;

import java.io.IOException;
import java.net.URI;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.client.FaultTolerance;
import org.understudy.client.InvocationFailedException;
import org.understudy.client.transport.Answer;
import org.understudy.client.transport.Envelope;
import org.understudy.client.transport.Http;
import org.understudy.replication.api.Certainty;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.api.VersionHandle;

/** A group as one client sees it. Thread-safe. */
public final class ReplicaGroup implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaGroup.class);
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int ASYNC_QUEUE = 10_000;

  private final FaultTolerance settings;
  private final Http http;
  private final Set<Invocation> open = ConcurrentHashMap.newKeySet();
  private final AtomicLong failovers = new AtomicLong();
  private final AtomicLong replayed = new AtomicLong();
  private final ThreadLocal<String> serverTiming = new ThreadLocal<>();
  private final ExecutorService async;
  private final Watcher watcher;

  private volatile ReplicaView view;
  /** The epoch whose primary did not answer, so that others are asked until there is news. */
  private volatile long deafEpoch = -1;
  private volatile VersionHandle handle = VersionHandle.INITIAL;
  private volatile ClientSession session;
  private volatile boolean closed;

  public ReplicaGroup(FaultTolerance settings) {
    this.settings = settings;
    this.http = new Http(settings);
    this.view = new ReplicaView(0, settings.replicas());
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            settings.asyncThreads(), settings.asyncThreads(), 30, TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(ASYNC_QUEUE),
            task -> {
              Thread thread = new Thread(task, "understudy-async");
              thread.setDaemon(true);
              return thread;
            });
    pool.allowCoreThreadTimeOut(true);
    this.async = pool;
    this.watcher = new Watcher(this, http);
  }

  public FaultTolerance settings() {
    return settings;
  }

  /** The replicas as last known, primary first. */
  public List<URI> replicas() {
    return view.replicas();
  }

  public long failovers() {
    return failovers.get();
  }

  public long replayed() {
    return replayed.get();
  }

  public String lastServerTiming() {
    return serverTiming.get();
  }

  public ExecutorService async() {
    return async;
  }

  long epoch() {
    return view.epoch();
  }

  ReplicaView view() {
    return view;
  }

  ClientSession currentSession() {
    return session;
  }

  boolean isClosed() {
    return closed;
  }

  /**
   * Sends a request until it has a result.
   *
   * @param suffix of the path behind the service's address
   * @throws InvocationFailedException when there is none by the deadline, or never will be
   */
  public Http.Response invoke(Envelope envelope, String suffix, String contentType, String action) {
    if (closed) {
      throw new InvocationFailedException("The client is closed.", Certainty.NOT_EXECUTED, null);
    }
    if (open.size() >= settings.maxOpen()) {
      throw new InvocationFailedException(
          "There are " + settings.maxOpen() + " invocations open; wait for some to end.", Certainty.NOT_EXECUTED, null);
    }
    long deadline = System.nanoTime() + settings.deadline().toNanos();
    ClientSession mine = session(deadline);
    Invocation invocation = new Invocation(this, http, mine, envelope, suffix, contentType, action, deadline);
    open.add(invocation);
    try {
      Http.Response response = invocation.run();
      serverTiming.set(response.headers().get("server-timing"));
      return response;
    } finally {
      open.remove(invocation);
    }
  }

  // ------------------------------------------------------------------------------------------------ view

  /**
   * Where to send an attempt.
   *
   * @param turn counts an invocation's attempts, to go round when the primary is deaf
   */
  URI target(int turn) {
    ReplicaView now = view;
    if (deafEpoch != now.epoch()) {
      return now.primary();
    }
    List<URI> all = everybody(now);
    return all.get(turn % all.size());
  }

  private List<URI> everybody(ReplicaView now) {
    List<URI> all = new ArrayList<>(now.replicas());
    for (URI configured : settings.replicas()) {
      if (!all.contains(configured)) {
        all.add(configured);
      }
    }
    return all;
  }

  List<URI> everybody() {
    return everybody(view);
  }

  /** The primary of that epoch gave no answer. */
  void deaf(long epoch) {
    if (view.epoch() == epoch) {
      deafEpoch = epoch;
    }
  }

  /** News of a view; older ones are ignored. Open invocations that went elsewhere are sent again at once. */
  void learn(long epoch, List<URI> replicas) {
    URI before;
    synchronized (this) {
      if (replicas.isEmpty() || epoch <= view.epoch()) {
        return;
      }
      before = view.epoch() == 0 ? null : view.primary();
      view = new ReplicaView(epoch, List.copyOf(replicas));
    }
    URI primary = replicas.get(0);
    if (before != null && !before.equals(primary)) {
      failovers.incrementAndGet();
      LOG.info("The primary is now {} (epoch {}).", primary, epoch);
      for (Invocation invocation : open) {
        invocation.redirect(primary);
      }
    }
  }

  void answered(Answer answer, long epoch) {
    VersionHandle seen = answer.handle;
    if (seen != null && seen.compareTo(handle) > 0) {
      synchronized (this) {
        if (seen.compareTo(handle) > 0) {
          handle = seen;
        }
      }
    }
    if (answer.replayed) {
      replayed.incrementAndGet();
    }
    if (deafEpoch == epoch) {
      deafEpoch = -1;
    }
  }

  VersionHandle handle() {
    return handle;
  }

  // ------------------------------------------------------------------------------------------------ session

  private ClientSession session(long deadline) {
    ClientSession now = session;
    if (now != null) {
      now.used();
      return now;
    }
    synchronized (watcher) {
      if (session == null) {
        session = new SessionOpening(this, http, deadline).open(nonce());
        watcher.start();
      }
      return session;
    }
  }

  private static SessionId nonce() {
    return new SessionId(RANDOM.nextLong(), RANDOM.nextLong());
  }

  /** The next invocation opens another session; this one's are lost and say so. */
  void expired(ClientSession which) {
    synchronized (watcher) {
      if (session == which) {
        session = null;
      }
    }
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    ClientSession last = session;
    if (last != null) {
      try {
        String body =
            "<ur:CloseSession xmlns:ur=\"urn:understudy:replication:1\"><ur:Session>" + last.id()
                + "</ur:Session></ur:CloseSession>";
        http.execute(Operation.CLOSE_SESSION.post(view.primary(), body));
      } catch (IOException e) {
        LOG.debug("The session was not closed; it will expire.", e);
      }
    }
    watcher.close();
    async.shutdown();
    http.close();
  }
}
