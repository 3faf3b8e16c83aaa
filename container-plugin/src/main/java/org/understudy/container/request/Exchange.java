package org.understudy.container.request;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.container.soap.EnvelopeWriter;
import org.understudy.container.soap.RequestEnvelope;
import org.understudy.container.soap.SoapVersion;
import org.understudy.replication.core.Failure;
import org.understudy.replication.core.Reply;
import org.understudy.replication.core.Request;
import org.understudy.replication.runtime.Call;

/**
 * One HTTP exchange and whose turn it is. Either the request's thread has it, or it is parked (asynchronous, no thread)
 * until the replica brings the answer or the permission to execute; whoever wins the step from one to the other goes on.
 */
final class Exchange implements Call {
  /** The request attribute under which a parked exchange is found again. */
  static final String ATTRIBUTE = Exchange.class.getName();

  private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);
  private static final int RUNNING = 0;
  private static final int PARKED = 1;
  private static final int ANSWERED = 2;
  private static final int GRANTED = 3;

  final HttpServletRequest request;
  final HttpServletResponse response;
  final byte[] body;
  final RequestEnvelope envelope;
  final Request.Kind kind;
  private final Answers answers;
  private final AtomicInteger turn = new AtomicInteger(RUNNING);
  private AsyncContext async;
  private volatile long token;
  private volatile Object outcome;
  /** When the service had returned, for Server-Timing. */
  private volatile long executedAt;
  private volatile long stableNanos;

  Exchange(
      HttpServletRequest request,
      HttpServletResponse response,
      byte[] body,
      RequestEnvelope envelope,
      Request.Kind kind,
      Answers answers) {
    this.request = request;
    this.response = response;
    this.body = body;
    this.envelope = envelope;
    this.kind = kind;
    this.answers = answers;
  }

  /** The permission to run the service method, once: 0 when there is none. */
  long takeGrant() {
    if (turn.compareAndSet(GRANTED, RUNNING)) {
      return token;
    }
    return 0;
  }

  void executedNow() {
    executedAt = System.nanoTime();
  }

  // ---- what the replica says, by any thread

  @Override
  public void execute(long granted, Request.Kind what) {
    token = granted;
    if (!turn.compareAndSet(RUNNING, GRANTED)) {
      turn.set(GRANTED);
      async.dispatch();
    }
  }

  @Override
  public void reply(Reply reply) {
    if (executedAt != 0) {
      stableNanos = System.nanoTime() - executedAt;
    }
    answer(reply);
  }

  @Override
  public void fail(Failure failure) {
    answer(failure);
  }

  private void answer(Object result) {
    outcome = result;
    if (!turn.compareAndSet(RUNNING, ANSWERED)) {
      turn.set(ANSWERED);
      write(result);
      async.complete();
    }
  }

  // ---- the request's thread

  /** Ends the thread's turn: writes the answer if it is there, else parks. */
  void yieldTurn() {
    if (turn.get() == ANSWERED) {
      write(outcome);
      return;
    }
    if (turn.get() == GRANTED) {
      return;
    }
    request.setAttribute(ATTRIBUTE, this);
    async = request.startAsync(request, response);
    async.setTimeout(0);
    if (!turn.compareAndSet(RUNNING, PARKED)) {
      if (turn.get() == ANSWERED) {
        write(outcome);
        async.complete();
      } else {
        async.dispatch();
      }
    }
  }

  private void write(Object result) {
    SoapVersion version = envelope.version();
    try {
      if (result instanceof Reply reply) {
        if (stableNanos != 0 && answers.timingHeader()) {
          response.setHeader("Server-Timing", "stable;dur=" + stableNanos / 1e6);
        }
        int status = (reply.response().format() & Answers.FAULT) != 0 ? 500 : 200;
        send(status, version, EnvelopeWriter.reply(version, reply, envelope.messageId()));
      } else {
        send(500, version, answers.fault(version, (Failure) result, envelope.messageId()));
      }
    } catch (IOException e) {
      LOG.debug("The client is gone before its answer.", e);
    }
  }

  private void send(int status, SoapVersion version, byte[] bytes) throws IOException {
    Answers.send(response, status, version, bytes);
  }
}
