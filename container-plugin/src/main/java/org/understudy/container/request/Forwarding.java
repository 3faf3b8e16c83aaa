package org.understudy.container.request;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.request.ForwardingConnections.Answer;
import org.understudy.container.request.ForwardingConnections.Try;
import org.understudy.container.soap.FaultBody;
import org.understudy.container.soap.Multipart;
import org.understudy.container.soap.RequestEnvelope;
import org.understudy.container.soap.RequestMessage;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Failure;
import org.understudy.replication.core.Request;
import org.understudy.replication.core.Role;
import org.understudy.replication.runtime.Replica;

/**
 * Takes a request to the primary: that of a client that knows nothing of replication, or of a stub that cannot reach the
 * primary itself. A request of the former that this replica refused without executing it is asked again in the same way, also
 * where this replica is the primary. A request is sent again only when that is safe: the connection was refused, the answer says that nothing was
 * executed, or the request has an identity (a session's number or a {@code wsa:MessageID}) and so is the same request the
 * second time. Threads of its own wait, a bounded number with a share for each client; a new primary or the deadline ends
 * their waiting at once.
 */
public final class Forwarding implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Forwarding.class);
  private static final int THREADS = 32;
  private static final int MOST_WAITING = 1_000;
  private static final long PAUSE_MS = 50;
  private static final long LOOK_MS = 50;

  private final Configuration configuration;
  private final Replica replica;
  private final Answers answers;
  private final ForwardingConnections connections;
  private final ForwardingThreads threads;
  private final CallerProof proof;
  /** Not answered yet. */
  private final Set<Journey> open = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService clock;

  public Forwarding(Configuration configuration, Replica replica, Answers answers, CallerProof proof) {
    this.configuration = configuration;
    this.replica = replica;
    this.answers = answers;
    this.proof = proof;
    this.connections = new ForwardingConnections(THREADS, configuration.trust());
    this.clock = Executors.newSingleThreadScheduledExecutor(task -> daemon(task, "understudy-deadlines"));
    clock.scheduleWithFixedDelay(this::look, LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
    replica.listen((role, view) -> open.forEach(journey -> journey.viewChanged(view.primary())));
    this.threads = new ForwardingThreads(THREADS, MOST_WAITING);
  }

  private static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  private void look() {
    long now = System.nanoTime();
    for (Journey journey : open) {
      try {
        journey.timePasses(now);
      } catch (RuntimeException e) {
        LOG.error("The deadline of a forwarded request did not end its waiting.", e);
      }
    }
  }

  /** Whether a client leaves it to the replicas to find the primary: it knows nothing of them, or does not reach it. */
  static boolean isWanted(RequestEnvelope envelope) {
    return envelope.header() == null || envelope.header().forward();
  }

  /** Whether a request belongs to another replica, and has not come from one already. */
  boolean isDue(HttpServletRequest request, Request asked) {
    boolean needsPrimary = asked.kind() != Request.Kind.READ || asked.level() == ReadLevel.LINEARIZABLE;
    return needsPrimary && isDue(request);
  }

  /** The same for a request that only the primary answers. */
  boolean isDue(HttpServletRequest request) {
    return configuration.replicated()
        && replica.role() != Role.PRIMARY
        && elsewhere() != null
        && request.getHeader(ResponseContent.FORWARDED) == null;
  }

  /** The primary, if this replica knows it and is not it. */
  private ReplicaId elsewhere() {
    ReplicaId primary = replica.view().primary();
    return primary == null || primary.equals(configuration.self()) ? null : primary;
  }

  /**
   * Whether this replica asks again for a client that knows nothing of replicas, instead of answering with a refusal that says
   * to ask again: this replica is not, or not yet, the primary, and nothing was executed.
   *
   * @param arrived when the request came, in {@link System#nanoTime()}
   */
  boolean retries(HttpServletRequest request, RequestEnvelope envelope, Failure refusal, long arrived) {
    return Disposition.isElsewhere(refusal.code())
        && envelope.header() == null
        && configuration.replicated()
        && replica.halted() == null
        && System.nanoTime() - arrived < configuration.requestDeadline().toNanos()
        && request.getHeader(ResponseContent.FORWARDED) == null;
  }

  /** Sends a request to the primary that has just come, and its answer back. */
  void forward(
      HttpServletRequest request,
      HttpServletResponse response,
      RequestMessage message,
      RequestEnvelope envelope,
      Operations.Operation operation,
      Runnable done) {
    AsyncContext async = request.startAsync(request, response);
    async.setTimeout(0);
    forward(async, request, response, Caller.of(request), message, envelope, operation, System.nanoTime(), done);
  }

  /**
   * Sends a request to the primary, which may be this replica itself, and its answer back. Does not block.
   *
   * @param async of the request, which has been started
   * @param arrived when the request came, in {@link System#nanoTime()}: its deadline counts from then
   * @param done runs once, when the client has its answer
   * @throws IllegalStateException when the client is gone; then nothing is sent, and {@code done} does not run
   */
  void forward(
      AsyncContext async,
      HttpServletRequest request,
      HttpServletResponse response,
      Caller caller,
      RequestMessage message,
      RequestEnvelope envelope,
      Operations.Operation operation,
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
    String path = request.getRequestURI().substring(request.getContextPath().length());
    long end = arrived + configuration.requestDeadline().toNanos();
    Journey journey =
        new Journey(async, response, written.bytes(), envelope, operation, path, headers, caller, end, done);
    open.add(journey);
    if (!threads.execute(journey.caller.owner(), journey)) {
      journey.refuse();
    }
  }

  @Override
  public void close() {
    clock.shutdownNow();
    threads.close();
    connections.close();
    try {
      clock.awaitTermination(5, TimeUnit.SECONDS);
      if (!threads.awaitEnd(5)) {
        LOG.warn("A forwarded request still waits for the primary.");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** One request's tries. */
  private final class Journey implements Runnable {
    private final AsyncContext async;
    private final HttpServletResponse response;
    private final byte[] body;
    private final RequestEnvelope envelope;
    private final Operations.Operation operation;
    private final String path;
    private final Map<String, String> headers;
    private final Caller caller;
    private final Runnable done;
    private final long end;
    /** A thread has begun with it, or nobody will. */
    private final AtomicBoolean begun = new AtomicBoolean();
    /** Whether a try may have been executed. */
    private boolean doubtful;
    /** Guarded by this, as the replica that is asked: the try that waits for an answer. */
    private Try current;
    private ReplicaId asked;

    Journey(
        AsyncContext async,
        HttpServletResponse response,
        byte[] body,
        RequestEnvelope envelope,
        Operations.Operation operation,
        String path,
        Map<String, String> headers,
        Caller caller,
        long end,
        Runnable done) {
      this.async = async;
      this.response = response;
      this.body = body;
      this.envelope = envelope;
      this.operation = operation;
      this.path = path;
      this.headers = headers;
      this.caller = caller;
      this.end = end;
      this.done = done;
    }

    @Override
    public void run() {
      if (!begun.compareAndSet(false, true)) {
        return;
      }
      if (System.nanoTime() - end >= 0) {
        overdue();
        return;
      }
      try {
        while (!attempt()) {
          Thread.sleep(PAUSE_MS);
        }
      } catch (InterruptedException e) {
        fail(doubt(), "This replica is being stopped; ask another one.");
      } catch (RuntimeException e) {
        LOG.error("A request was not forwarded.", e);
        fail(doubt(), "The request was not forwarded to the primary.");
      }
    }

    /** Breaks a try off that waits for a replica which is not the primary any more. Any thread; does not block. */
    synchronized void viewChanged(ReplicaId primary) {
      if (current != null && primary != null && !primary.equals(asked)) {
        current.breakOff();
      }
    }

    /** Ends the waiting when the time is up, for an answer or for a thread. */
    void timePasses(long now) {
      if (now - end < 0) {
        return;
      }
      if (begun.compareAndSet(false, true)) {
        threads.remove(caller.owner(), this);
        overdue();
      }
      synchronized (this) {
        if (current != null) {
          current.breakOff();
        }
      }
    }

    /** No thread has begun with it in time. */
    private void overdue() {
      fail(FailureCode.Overloaded, "The request waited too long to be forwarded to the primary; ask it.");
    }

    void refuse() {
      if (begun.compareAndSet(false, true)) {
        fail(FailureCode.Overloaded, "Too many requests wait to be forwarded to the primary; ask it.");
      }
    }

    /** @return whether the client has its answer */
    private boolean attempt() {
      ReplicaId primary = replica.view().primary();
      if (System.nanoTime() - end >= 0) {
        String which = primary == null ? "" : ", replica " + primary + ",";
        fail(doubt(), "The primary" + which + " gave no answer to the forwarded request in time.");
        return true;
      }
      if (primary == null) {
        return false;
      }
      try {
        Answer answer = post(primary);
        boolean news = proof.learn(primary, answer.instance());
        Disposition disposition = Disposition.of(answer);
        if (disposition.isElsewhere(answer.status())) {
          // A replica that was started anew refuses the first proof, which was made for the one before.
          return news && attempt();
        }
        if (doubtful && disposition.isNotExecuted(answer.status())) {
          // Of this try it is right that nothing was executed; the one before may have been.
          return false;
        }
        write(answer, disposition);
        return true;
      } catch (ConnectException e) {
        LOG.debug("Replica {} cannot be reached by a forwarded request.", primary, e);
        return false;
      } catch (IOException e) {
        LOG.debug("A request forwarded to replica {} has no answer.", primary, e);
        doubtful = true;
        if (envelope.hasIdentity()) {
          return false;
        }
        // The second time it would be another request.
        fail(
            FailureCode.OutcomeUnknown,
            "Replica " + primary + ", the primary until then, gave no answer to the forwarded request. It may have been executed: "
                + "it has no wsa:MessageID by which a retry could be recognised.");
        return true;
      }
    }

    private Answer post(ReplicaId primary) throws IOException {
      Try one = new Try();
      synchronized (this) {
        asked = primary;
        current = one;
      }
      try {
        if (!primary.equals(replica.view().primary())) {
          throw new ConnectException("Another replica became the primary.");
        }
        Map<String, String> all = new LinkedHashMap<>(headers);
        all.put(CallerProof.HEADER, proof.prove(primary, path, body, caller));
        return connections.post(URI.create(configuration.url(primary) + path), all, body, end, one);
      } finally {
        synchronized (this) {
          current = null;
        }
      }
    }

    private FailureCode doubt() {
      return doubtful ? FailureCode.OutcomeUnknown : FailureCode.NotReady;
    }

    private void fail(FailureCode code, String why) {
      ResponseContent content = ResponseContent.of(envelope, operation.oneWay());
      end(() -> answers.send(response, envelope, operation, new Failure(code, why), content));
    }

    private void write(Answer answer, Disposition disposition) {
      ResponseContent content = ResponseContent.of(envelope, operation.oneWay());
      boolean good = answer.status() < 300;
      boolean whole = good ? content.result() : content.fault();
      end(() -> {
        if (disposition.ofContainer()) {
          Disposition.write(response, disposition.refused());
        }
        if (whole) {
          Answers.send(response, answer.status(), answer.type(), answer.body());
        } else if (good) {
          Answers.send(response, 202, (String) null, new byte[0]);
        } else {
          String reason = FaultBody.ofEnvelope(envelope.version(), answer.body()).reason();
          Answers.reason(response, answer.status(), reason);
        }
      });
    }

    private void end(Write answer) {
      open.remove(this);
      try {
        answer.run();
      } catch (IOException | IllegalStateException e) {
        LOG.debug("The client is gone before its answer.", e);
      } finally {
        done.run();
        Answers.complete(async);
      }
    }
  }

  /** The write of an answer. */
  @FunctionalInterface
  private interface Write {
    void run() throws IOException;
  }
}
