package org.understudy.container.request;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.request.ForwardingConnections.Answer;
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
 * Takes the request of a client that knows nothing of replication to the primary. It is sent again only when that is
 * safe: the connection was refused, the answer says that nothing was executed, or the request carries a
 * {@code wsa:MessageID} and so is the same request the second time. Threads of its own wait, a bounded number.
 */
public final class Forwarding implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Forwarding.class);
  private static final int THREADS = 32;
  private static final int MOST_WAITING = 1_000;
  private static final long PAUSE_MS = 50;

  private final Configuration configuration;
  private final Replica replica;
  private final Answers answers;
  private final ForwardingConnections connections;
  private final ThreadPoolExecutor threads;

  public Forwarding(Configuration configuration, Replica replica, Answers answers) {
    this.configuration = configuration;
    this.replica = replica;
    this.answers = answers;
    this.connections = new ForwardingConnections(THREADS);
    AtomicInteger number = new AtomicInteger();
    this.threads =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            10,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MOST_WAITING),
            task -> {
              Thread thread = new Thread(task, "understudy-forward-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    threads.allowCoreThreadTimeOut(true);
  }

  /** Whether a request without our header belongs to another replica, and has not come from one already. */
  boolean isDue(HttpServletRequest request, Request asked) {
    boolean needsPrimary = asked.kind() != Request.Kind.READ || asked.level() == ReadLevel.LINEARIZABLE;
    return needsPrimary
        && configuration.replicated()
        && replica.role() != Role.PRIMARY
        && elsewhere() != null
        && request.getHeader(ResponseContent.FORWARDED) == null;
  }

  /** The primary, if this replica knows it and is not it. */
  private ReplicaId elsewhere() {
    ReplicaId primary = replica.view().primary();
    return primary == null || primary.equals(configuration.self()) ? null : primary;
  }

  /** Sends it to the primary, and its answer back. */
  void forward(
      HttpServletRequest request,
      HttpServletResponse response,
      RequestMessage message,
      RequestEnvelope envelope,
      Operations.Operation operation) {
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
    AsyncContext async = request.startAsync(request, response);
    async.setTimeout(0);
    Journey journey = new Journey(async, response, written.bytes(), envelope, operation, path, headers);
    try {
      threads.execute(journey);
    } catch (RejectedExecutionException e) {
      journey.fail(FailureCode.Overloaded, "Too many requests wait to be forwarded to the primary; ask it.");
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
    connections.close();
    try {
      if (!threads.awaitTermination(5, TimeUnit.SECONDS)) {
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
    private final long end = System.nanoTime() + configuration.requestDeadline().toNanos();
    /** Whether a try may have been executed. */
    private boolean doubtful;

    Journey(
        AsyncContext async,
        HttpServletResponse response,
        byte[] body,
        RequestEnvelope envelope,
        Operations.Operation operation,
        String path,
        Map<String, String> headers) {
      this.async = async;
      this.response = response;
      this.body = body;
      this.envelope = envelope;
      this.operation = operation;
      this.path = path;
      this.headers = headers;
    }

    @Override
    public void run() {
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

    /** @return whether the client has its answer */
    private boolean attempt() {
      ReplicaId primary = replica.view().primary();
      URI target = URI.create(configuration.url(primary) + path);
      boolean late = System.nanoTime() > end;
      try {
        Answer answer = connections.post(target, headers, body, configuration.requestDeadline());
        Disposition disposition = Disposition.of(answer);
        if (!late && disposition.isElsewhere(answer.status())) {
          return false;
        }
        if (doubtful && disposition.isNotExecuted(answer.status())) {
          // Of this try it is right that nothing was executed; the one before may have been.
          return gaveUp(late, primary);
        }
        write(answer, disposition);
        return true;
      } catch (ConnectException e) {
        return gaveUp(late, primary);
      } catch (IOException e) {
        LOG.debug("A request forwarded to {} has no answer.", target, e);
        doubtful = true;
        // The primary knows a repeated MessageID; without one the second time would be another request.
        return gaveUp(late || envelope.messageId() == null, primary);
      }
    }

    private boolean gaveUp(boolean now, ReplicaId primary) {
      if (now) {
        fail(doubt(), "The primary, replica " + primary + ", gave no answer to the forwarded request.");
      }
      return now;
    }

    private FailureCode doubt() {
      return doubtful ? FailureCode.OutcomeUnknown : FailureCode.NotReady;
    }

    void fail(FailureCode code, String why) {
      ResponseContent content = ResponseContent.of(envelope, operation.oneWay());
      end(() -> answers.send(response, envelope, operation, new Failure(code, why), content));
    }

    private void write(Answer answer, Disposition disposition) {
      ResponseContent content = ResponseContent.of(envelope, operation.oneWay());
      boolean good = answer.status() < 300;
      boolean whole =
          good ? content.result() : disposition.refused() == null ? content.fault() : content.refusal();
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
      try {
        answer.run();
      } catch (IOException | IllegalStateException e) {
        LOG.debug("The client is gone before its answer.", e);
      } finally {
        async.complete();
      }
    }
  }

  /** The write of an answer. */
  @FunctionalInterface
  private interface Write {
    void run() throws IOException;
  }
}
