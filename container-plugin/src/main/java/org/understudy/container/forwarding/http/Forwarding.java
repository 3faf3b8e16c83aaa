package org.understudy.container.forwarding.http;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.container.caller.Caller;
import org.understudy.container.caller.CallerProof;
import org.understudy.container.caller.RequestTarget;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.forwarding.ForwardedAnswer;
import org.understudy.container.forwarding.ForwardedRequest;
import org.understudy.container.forwarding.Repetition;
import org.understudy.container.forwarding.Servers;
import org.understudy.container.forwarding.WaitLimits;
import org.understudy.container.forwarding.sealed.ClientRequest;
import org.understudy.container.forwarding.sealed.SealedRequest;
import org.understudy.container.operation.Operation;
import org.understudy.container.response.Answers;
import org.understudy.container.soap.RequestEnvelope;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.RequestClass;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.runtime.Replica;
import org.understudy.replication.runtime.peer.FrameSizes;
import org.understudy.replication.runtime.share.Reservation;
import org.understudy.soap.mime.Multipart;
import org.understudy.soap.mime.RequestMessage;
import org.understudy.thread.DaemonThreads;
import org.understudy.thread.RepeatedTask;

/**
 * Forwards a request to a replica that serves it: for a client without the stub, or for a stub that cannot reach such a
 * replica itself. If this replica refused a request without a stub and did not execute it, the request is retried in the same
 * way, also at this replica. {@link ForwardedRequest} decides on retries. A bounded number of dedicated threads waits, with a
 * share for each client; requests that wait for long do not take the threads of others. A change of servers, the silence of the server, or
 * the deadline ends their wait at once.
 */
public final class Forwarding implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Forwarding.class);
  private static final int THREADS = 32;
  private static final int MAX_WAITING = 1_000;
  /** Requests that wait for a long execution; their threads only wait. */
  private static final int MAX_ASIDE = 256;
  private static final long ASIDE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long CHECK_MS = 50;
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
  private static final int MAX_RESPONSE_BYTES = FrameSizes.DEFAULTS.frameBytes();

  private final Configuration configuration;
  private final Replica replica;
  private final ForwardingConnections connections;
  private final ForwardingThreads threads;
  private final CallerProof proof;
  /** The tasks whose clients have not been answered yet. */
  private final Set<ForwardTask> open = ConcurrentHashMap.newKeySet();
  private final WaitLimits limits;
  private final ScheduledExecutorService clock;

  public Forwarding(Configuration configuration, Replica replica, CallerProof proof) {
    this.configuration = configuration;
    this.replica = replica;
    this.proof = proof;
    this.connections =
        new ForwardingConnections(
            CONNECT_TIMEOUT, ForwardingThreads.most(THREADS, MAX_ASIDE), MAX_RESPONSE_BYTES, configuration.trust());
    this.limits = limits(configuration);
    this.clock = Executors.newSingleThreadScheduledExecutor(new DaemonThreads("understudy-deadlines-"));
    clock.scheduleWithFixedDelay(
        new RepeatedTask("The watch over forwarded requests", this::endExpired), CHECK_MS, CHECK_MS, TimeUnit.MILLISECONDS);
    replica.listen(assignment -> open.forEach(ForwardTask::serversChanged));
    this.threads = new ForwardingThreads(THREADS, MAX_WAITING, MAX_ASIDE);
  }

  /**
   * A replica that has a request waits until it may execute it, then for transactions in doubt and for the resource, executes it, and waits
   * until the result is stable.
   */
  private static WaitLimits limits(Configuration configuration) {
    long search = configuration.requestDeadline().toNanos();
    return new WaitLimits(search, 2 * search + 3 * configuration.execution().toNanos() + TimeUnit.SECONDS.toNanos(2));
  }

  private void endExpired() {
    long now = System.nanoTime();
    for (ForwardTask task : open) {
      try {
        if (task.timePasses(now)) {
          threads.remove(task.owner(), task);
        } else if (task.waitsLongerThan(ASIDE_NANOS, now)) {
          threads.setAside(task.owner(), task);
        }
      } catch (RuntimeException e) {
        LOG.error("A forwarded request could not be ended at its deadline.", e);
      }
    }
  }

  /**
   * Whether the client requires forwarding: it does not use the stub, its stub cannot reach the serving replica, or it has one address
   * for all replicas.
   */
  public boolean isWanted(RequestEnvelope envelope) {
    return !envelope.isOfStub() || envelope.header().forward() || configuration.hasOneClientUrl();
  }

  /** Whether a request that this replica serves too would find a free thread. */
  public boolean hasRoom() {
    return threads.hasRoom();
  }

  /** Whether another replica serves the request, and the request has not been forwarded already. */
  public boolean isDue(HttpServletRequest request, RequestClass requestClass) {
    return configuration.replicated()
        && replica.routing().isElsewhere(requestClass)
        && !Caller.isForwarded(request);
  }

  /**
   * Whether this replica retries the request for a client without the stub, instead of returning a refusal. It does if this
   * replica does not serve the request, or not yet, and executed nothing; or if it no longer serves it, and the request has an
   * identity or is a read.
   *
   * @param arrived when the request arrived, in {@link System#nanoTime()}; later by the time for which this replica has executed it
   */
  public boolean retries(
      HttpServletRequest request,
      RequestEnvelope envelope,
      Operation operation,
      Failure refusal,
      long arrived) {
    boolean safe =
        ForwardedAnswer.isElsewhere(refusal.code())
            || refusal.code() == FailureCode.OutcomeUnknown
                && ForwardedClient.repetition(envelope, operation) != Repetition.IS_ANOTHER_REQUEST;
    return safe
        && !envelope.isOfStub()
        && configuration.replicated()
        && replica.halted() == null
        && System.nanoTime() - arrived < limits.search()
        && !Caller.isForwarded(request);
  }

  /**
   * Forwards a request that has just arrived to a replica that serves it, and returns the response to the client.
   *
   * @param answers writes a failure
   * @param preferred the replica that is tried first; null for the one that routing prefers
   * @param reservation as below
   */
  public void forward(
      HttpServletRequest request,
      HttpServletResponse response,
      Answers answers,
      RequestMessage message,
      RequestEnvelope envelope,
      Operation operation,
      RequestClass requestClass,
      ReplicaId preferred,
      Reservation reservation) {
    AsyncContext async = request.startAsync(request, response);
    async.setTimeout(0);
    forward(
        async, request, response, answers, Caller.of(request), message, envelope, operation, servers(requestClass, preferred), false,
        System.nanoTime(), reservation);
  }

  private Servers servers(RequestClass requestClass, ReplicaId preferred) {
    return new Servers() {
      @Override
      public List<ReplicaId> known() {
        List<ReplicaId> servers = replica.routing().servers(requestClass);
        return preferred == null ? servers : startingWith(preferred, servers);
      }

      @Override
      public long silentNanos(ReplicaId server) {
        return replica.silentNanos(server);
      }

      @Override
      public boolean isOutOfReach(ReplicaId server) {
        return replica.isOutOfReach(server);
      }
    };
  }

  private static List<ReplicaId> startingWith(ReplicaId preferred, List<ReplicaId> servers) {
    if (!servers.contains(preferred)) {
      return servers;
    }
    List<ReplicaId> rotated = new ArrayList<>(servers);
    Collections.rotate(rotated, -rotated.indexOf(preferred));
    return rotated;
  }

  /**
   * Forwards a request to a replica that serves it, possibly this one, and returns the response to the client. Does not block.
   *
   * @param async the asynchronous context of the request, already started
   * @param answers writes a failure
   * @param requestClass the class of the request, by which the replica is selected
   * @param mayHaveRun whether it may have been executed here
   * @param arrived when the request arrived, in {@link System#nanoTime()}, as for {@link #retries}: its deadline counts from then
   * @param reservation counts the answers of other replicas too; released once, when the client has been answered
   * @throws IllegalStateException when the client has closed its connection; then nothing is sent, and the reservation is not released
   */
  public void forward(
      AsyncContext async,
      HttpServletRequest request,
      HttpServletResponse response,
      Answers answers,
      Caller caller,
      RequestMessage message,
      RequestEnvelope envelope,
      Operation operation,
      RequestClass requestClass,
      boolean mayHaveRun,
      long arrived,
      Reservation reservation) {
    forward(
        async, request, response, answers, caller, message, envelope, operation, servers(requestClass, null), mayHaveRun, arrived,
        reservation);
  }

  private void forward(
      AsyncContext async,
      HttpServletRequest request,
      HttpServletResponse response,
      Answers answers,
      Caller caller,
      RequestMessage message,
      RequestEnvelope envelope,
      Operation operation,
      Servers servers,
      boolean mayHaveRun,
      long arrived,
      Reservation reservation) {
    Multipart.Written written = message.write(envelope.version());
    SealedRequest sealed = new SealedRequest(ClientRequest.of(request).write(), written.bytes());
    String path = RequestTarget.path(request);
    ForwardedPost post =
        new ForwardedPost(
            configuration, connections, proof, caller, path, written.contentType(), sealed, sealed.digest(), reservation);
    ForwardedClient client = new ForwardedClient(async, response, envelope, operation, answers, reservation::release);
    Repetition repetition = ForwardedClient.repetition(envelope, operation);
    boolean executed = mayHaveRun && repetition != Repetition.EXECUTES_NOTHING;
    ForwardedRequest attempts = new ForwardedRequest(repetition, executed, servers, arrived, limits);
    ForwardTask task = new ForwardTask(client, post, attempts, servers, open);
    client.watch(() -> {
      task.clientGone();
      threads.remove(task.owner(), task);
    });
    open.add(task);
    if (!threads.execute(task.owner(), task)) {
      task.crowded();
    }
  }

  @Override
  public void close() {
    clock.shutdownNow();
    threads.close();
    connections.close();
    open.forEach(ForwardTask::stop);
    try {
      clock.awaitTermination(5, TimeUnit.SECONDS);
      if (!threads.awaitEnd(5)) {
        LOG.warn("A forwarded request still waits for its response while this replica stops.");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
