package org.understudy.container.request;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.soap.RequestEnvelope;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Failure;
import org.understudy.replication.core.Request;
import org.understudy.replication.core.Role;
import org.understudy.replication.runtime.Replica;

/**
 * Takes the update of a client that knows nothing of replication to the primary. It is sent again only when it certainly
 * was not executed: the connection was refused, or the answer says so.
 */
public final class Forwarding {
  private static final Logger LOG = LoggerFactory.getLogger(Forwarding.class);
  private static final String FORWARDED = "Understudy-Forwarded";
  private static final long PAUSE_MS = 50;

  private final Configuration configuration;
  private final Replica replica;
  private final Answers answers;
  private final HttpClient http;

  public Forwarding(Configuration configuration, Replica replica, Answers answers) {
    this.configuration = configuration;
    this.replica = replica;
    this.answers = answers;
    this.http =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(Duration.ofSeconds(2)).build();
  }

  /** Whether a request without our header belongs to another replica, and has not come from one already. */
  boolean isDue(HttpServletRequest request, Request asked) {
    boolean needsPrimary = asked.kind() != Request.Kind.READ || asked.level() == ReadLevel.LINEARIZABLE;
    ReplicaId primary = replica.view().primary();
    return needsPrimary
        && configuration.replicated()
        && replica.role() != Role.PRIMARY
        && primary != null
        && !primary.equals(configuration.self())
        && request.getHeader(FORWARDED) == null;
  }

  void forward(HttpServletRequest request, HttpServletResponse response, byte[] body, RequestEnvelope envelope) {
    AsyncContext async = request.startAsync(request, response);
    async.setTimeout(0);
    String path = request.getRequestURI().substring(request.getContextPath().length());
    String contentType = request.getContentType();
    String action = request.getHeader("SOAPAction");
    new Journey(async, response, body, envelope, path, contentType, action).attempt();
  }

  /** One request's tries. */
  private final class Journey {
    private final AsyncContext async;
    private final HttpServletResponse response;
    private final byte[] body;
    private final RequestEnvelope envelope;
    private final String path;
    private final String contentType;
    private final String action;
    private final long end = System.nanoTime() + configuration.requestDeadline().toNanos();

    Journey(
        AsyncContext async,
        HttpServletResponse response,
        byte[] body,
        RequestEnvelope envelope,
        String path,
        String contentType,
        String action) {
      this.async = async;
      this.response = response;
      this.body = body;
      this.envelope = envelope;
      this.path = path;
      this.contentType = contentType;
      this.action = action;
    }

    void attempt() {
      URI target = URI.create(configuration.url(replica.view().primary()) + path);
      HttpRequest.Builder builder =
          HttpRequest.newBuilder(target)
              .timeout(configuration.requestDeadline())
              .header(FORWARDED, configuration.self().toString())
              .POST(HttpRequest.BodyPublishers.ofByteArray(body));
      if (contentType != null) {
        builder.header("Content-Type", contentType);
      }
      if (action != null) {
        builder.header("SOAPAction", action);
      }
      http.sendAsync(builder.build(), HttpResponse.BodyHandlers.ofByteArray())
          .whenComplete((answer, failure) -> arrived(target, answer, failure));
    }

    private void arrived(URI target, HttpResponse<byte[]> answer, Throwable failure) {
      Throwable cause = failure != null && failure.getCause() != null ? failure.getCause() : failure;
      boolean again = cause instanceof ConnectException || (answer != null && saysNotExecutedHere(answer));
      if (again && System.nanoTime() < end) {
        CompletableFuture.delayedExecutor(PAUSE_MS, TimeUnit.MILLISECONDS).execute(this::attempt);
      } else if (answer != null) {
        write(answer.statusCode(), answer.body());
      } else {
        FailureCode code = again ? FailureCode.NotReady : FailureCode.OutcomeUnknown;
        Failure told =
            new Failure(code, "The primary at " + target + " gave no answer to the forwarded request: " + cause + ".");
        write(500, answers.fault(envelope.version(), told, envelope.messageId()));
      }
    }

    /** The replica asked is not, or not yet, the primary. */
    private boolean saysNotExecutedHere(HttpResponse<byte[]> answer) {
      if (answer.statusCode() == 404 || answer.statusCode() == 503) {
        return true;
      }
      if (answer.statusCode() != 500 || answer.body().length > 8_192) {
        return false;
      }
      String text = new String(answer.body(), StandardCharsets.UTF_8);
      return text.contains("<ur:Code>NotPrimary</ur:Code>") || text.contains("<ur:Code>NotReady</ur:Code>");
    }

    private void write(int status, byte[] bytes) {
      try {
        Answers.send(response, status, envelope.version(), bytes);
      } catch (IOException e) {
        LOG.debug("The client is gone before its answer.", e);
      } finally {
        async.complete();
      }
    }
  }
}
