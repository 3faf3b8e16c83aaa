package org.understudy.container.request;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.forwarding.ForwardedAnswer;
import org.understudy.container.forwarding.ForwardedRequest;
import org.understudy.container.forwarding.Repetition;
import org.understudy.container.soap.RequestEnvelope;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.RequestClass;
import org.understudy.replication.core.Failure;
import org.understudy.replication.runtime.FrameSizes;
import org.understudy.replication.runtime.Replica;
import org.understudy.soap.mime.Multipart;
import org.understudy.soap.mime.RequestMessage;
import org.understudy.thread.DaemonThreads;

/**
 * Forwards a request to a replica that serves it: for a client without the stub, or for a stub that cannot reach such a
 * replica itself. A request of the former that this replica refused without executing it is retried in the same way, also
 * where this replica serves it. {@link ForwardedRequest} decides when a request is sent again. Threads of its own wait, a
 * bounded number with a share for each client; a change of servers or the deadline ends their waiting at once.
 */
public final class Forwarding implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Forwarding.class);
  private static final int THREADS = 32;
  private static final int MAX_WAITING = 1_000;
  private static final long LOOK_MS = 50;
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
  private static final int MAX_RESPONSE_BYTES = FrameSizes.DEFAULTS.frameBytes();

  private final Configuration configuration;
  private final Replica replica;
  private final ForwardingConnections connections;
  private final ForwardingThreads threads;
  private final CallerProof proof;
  /** Not answered yet. */
  private final Set<ForwardTask> open = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService clock;

  public Forwarding(Configuration configuration, Replica replica, CallerProof proof) {
    this.configuration = configuration;
    this.replica = replica;
    this.proof = proof;
    this.connections = new ForwardingConnections(CONNECT_TIMEOUT, 2 * THREADS, MAX_RESPONSE_BYTES, configuration.trust());
    this.clock = Executors.newSingleThreadScheduledExecutor(new DaemonThreads("understudy-deadlines-"));
    clock.scheduleWithFixedDelay(this::look, LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
    replica.listen(assignment -> open.forEach(ForwardTask::serversChanged));
    this.threads = new ForwardingThreads(THREADS, MAX_WAITING);
  }

  private void look() {
    long now = System.nanoTime();
    for (ForwardTask task : open) {
      try {
        if (task.timePasses(now)) {
          threads.remove(task.owner(), task);
        }
      } catch (RuntimeException e) {
        LOG.error("A forwarded request could not be ended at its deadline.", e);
      }
    }
  }

  /** Whether a client leaves it to the replicas to find one that serves: it knows nothing of them, or does not reach it. */
  static boolean isWanted(RequestEnvelope envelope) {
    return envelope.header() == null || envelope.header().forward();
  }

  /** Whether a request belongs to another replica, and has not come from one already. */
  boolean isDue(HttpServletRequest request, RequestClass asked) {
    return configuration.replicated()
        && replica.routing().isElsewhere(asked)
        && request.getHeader(ResponseContent.FORWARDED) == null;
  }

  /**
   * Whether this replica retries the request for a client without the stub, instead of returning a refusal. It does if this
   * replica does not serve the request, or not yet, and executed nothing; or if it no longer serves it, and the request has an
   * identity or is a read.
   *
   * @param arrived when the request came, in {@link System#nanoTime()}
   */
  boolean retries(
      HttpServletRequest request,
      RequestEnvelope envelope,
      Operations.Operation operation,
      Failure refusal,
      long arrived) {
    boolean safe =
        ForwardedAnswer.isElsewhere(refusal.code())
            || refusal.code() == FailureCode.OutcomeUnknown
                && ForwardedClient.repetition(envelope, operation) != Repetition.IS_ANOTHER_REQUEST;
    return safe
        && envelope.header() == null
        && configuration.replicated()
        && replica.halted() == null
        && System.nanoTime() - arrived < configuration.requestDeadline().toNanos()
        && request.getHeader(ResponseContent.FORWARDED) == null;
  }

  /**
   * Sends a request that has just come to a replica that serves it, and its answer back.
   *
   * @param answers how a failure is answered
   */
  void forward(
      HttpServletRequest request,
      HttpServletResponse response,
      Answers answers,
      RequestMessage message,
      RequestEnvelope envelope,
      Operations.Operation operation,
      RequestClass asked,
      Runnable done) {
    AsyncContext async = request.startAsync(request, response);
    async.setTimeout(0);
    forward(
        async, request, response, answers, Caller.of(request), message, envelope, operation, asked, false, System.nanoTime(), done);
  }

  /**
   * Sends a request to a replica that serves it, which may be this one itself, and its answer back. Does not block.
   *
   * @param async of the request, which has been started
   * @param answers how a failure is answered
   * @param asked the kind of request, by which the replica is chosen
   * @param doubtful whether it may have been executed here
   * @param arrived when the request came, in {@link System#nanoTime()}: its deadline counts from then
   * @param done runs once, when the client has its answer
   * @throws IllegalStateException when the client is gone; then nothing is sent, and {@code done} does not run
   */
  void forward(
      AsyncContext async,
      HttpServletRequest request,
      HttpServletResponse response,
      Answers answers,
      Caller caller,
      RequestMessage message,
      RequestEnvelope envelope,
      Operations.Operation operation,
      RequestClass asked,
      boolean doubtful,
      long arrived,
      Runnable done) {
    Multipart.Written written = message.write(envelope.version());
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Content-Type", written.contentType());
    headers.put(ResponseContent.FORWARDED, configuration.self().toString());
    for (String name : new String[] {"SOAPAction", "Authorization", "Cookie"}) {
      String value = request.getHeader(name);
      if (value != null) {
        headers.put(name, value);
      }
    }
    String action = Operations.action(request);
    if (action != null) {
      // The content type is made anew, without the parameter of SOAP 1.2.
      headers.put("SOAPAction", '"' + action + '"');
    }
    String path = request.getRequestURI().substring(request.getContextPath().length());
    ForwardedPost post = new ForwardedPost(configuration, connections, proof, caller, path, headers, written.bytes());
    ForwardedClient client = new ForwardedClient(async, response, envelope, operation, answers, done);
    Supplier<List<ReplicaId>> servers = () -> replica.routing().servers(asked);
    long deadline = arrived + configuration.requestDeadline().toNanos();
    Repetition repetition = ForwardedClient.repetition(envelope, operation);
    boolean executed = doubtful && repetition != Repetition.EXECUTES_NOTHING;
    ForwardedRequest attempts = new ForwardedRequest(repetition, executed, servers, deadline);
    ForwardTask task = new ForwardTask(client, post, attempts, servers, open);
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
