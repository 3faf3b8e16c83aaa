package org.understudy.container.forwarding.http;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.container.forwarding.Repetition;
import org.understudy.container.forwarding.http.ForwardingConnections.Answer;
import org.understudy.container.operation.Operation;
import org.understudy.container.response.Answers;
import org.understudy.container.response.Disposition;
import org.understudy.container.response.EndListener;
import org.understudy.container.response.ResponseContent;
import org.understudy.container.response.UnsentResponse;
import org.understudy.container.soap.RequestEnvelope;
import org.understudy.container.transaction.TransactionOperation;
import org.understudy.replication.core.request.Failure;
import org.understudy.soap.envelope.FaultBody;

/**
 * Sends the response to a client whose request is forwarded. Only the first response is sent. When the client closes its connection, the
 * container uses the objects of the request for another client: nothing is written to them from then on, and the container waits until
 * a write that has begun has ended. Thread-safe.
 */
final class ForwardedClient implements EndListener {
  private static final Logger LOG = LoggerFactory.getLogger(ForwardedClient.class);
  private static final int FIRST_FAILURE = 300;
  private static final int ACCEPTED = 202;

  /** Writes a response. */
  @FunctionalInterface
  private interface Write {
    void run() throws IOException;
  }

  private final AsyncContext async;
  private final HttpServletResponse response;
  private final RequestEnvelope envelope;
  private final Operation operation;
  private final Answers answers;
  private final Runnable done;
  /** Guards {@link #answered}, and is held while the response is written. */
  private final Object writing = new Object();
  private boolean answered;
  /** Runs when the client has closed its connection before it was answered. */
  private volatile Runnable gone = () -> {};

  /**
   * @param async the asynchronous context of the request, already started
   * @param done runs once, when the client has been answered
   */
  ForwardedClient(
      AsyncContext async,
      HttpServletResponse response,
      RequestEnvelope envelope,
      Operation operation,
      Answers answers,
      Runnable done) {
    this.async = async;
    this.response = response;
    this.envelope = envelope;
    this.operation = operation;
    this.answers = answers;
    this.done = done;
  }

  /**
   * Notices from now on when the client closes its connection. Called once, before the request is forwarded.
   *
   * @param then runs when nobody waits for the response any more; must not block
   */
  void watch(Runnable then) {
    gone = then;
    async.addListener(this);
  }

  /** Returns the effect of a retry of the request. */
  static Repetition repetition(RequestEnvelope envelope, Operation operation) {
    if (operation.read() != null) {
      return Repetition.EXECUTES_NOTHING;
    }
    // A transaction is committed once, by its own id.
    return envelope.hasIdentity() || operation.standard() == TransactionOperation.COMMIT
        ? Repetition.IS_RECOGNISED
        : Repetition.IS_ANOTHER_REQUEST;
  }

  void fail(Failure failure) {
    fail(failure, response);
  }

  /** As {@link #fail}, for a thread that must not block on the client: the container sends the response. */
  void failWithoutThread(Failure failure) {
    fail(failure, new UnsentResponse(response));
  }

  private void fail(Failure failure, HttpServletResponse to) {
    ResponseContent content = ResponseContent.of(envelope, operation.oneWay());
    end(() -> answers.send(to, envelope, operation, failure, content));
  }

  /** Returns the response of the other replica. */
  void passOn(Answer answer) {
    ResponseContent content = ResponseContent.of(envelope, operation.oneWay());
    Disposition disposition = Disposition.of(answer.disposition(), answer.status(), answer.body());
    boolean good = answer.status() < FIRST_FAILURE;
    boolean whole = good ? content.result() : content.fault();
    end(() -> {
      if (disposition.ofContainer()) {
        Disposition.write(response, disposition.refused());
      }
      if (answer.instance() != null) {
        // Of a replica, and not of a proxy between the replicas.
        answer.fields().forEach(this::add);
      }
      if (whole) {
        Answers.send(response, answer.status(), answer.type(), answer.body());
      } else if (good) {
        Answers.send(response, ACCEPTED, (String) null, new byte[0]);
      } else {
        String reason = FaultBody.ofEnvelope(envelope.version(), answer.body()).reason();
        Answers.reason(response, answer.status(), reason);
      }
    });
  }

  /** Adds a field of the other replica's response, unless a filter of this one has set it. */
  private void add(String name, List<String> values) {
    if (!response.containsHeader(name)) {
      values.forEach(value -> response.addHeader(name, value));
    }
  }

  private void end(Write answer) {
    synchronized (writing) {
      if (answered) {
        return;
      }
      answered = true;
      try {
        answer.run();
      } catch (IOException | IllegalStateException e) {
        LOG.debug("The client closed its connection before the response was sent.", e);
      } finally {
        done.run();
        Answers.complete(async);
      }
    }
  }

  @Override
  public void ended() {
    synchronized (writing) {
      if (answered) {
        return;
      }
      answered = true;
      done.run();
    }
    gone.run();
  }
}
