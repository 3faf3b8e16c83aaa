package org.understudy.session;

import jakarta.servlet.ServletException;
import java.io.IOException;
import org.apache.catalina.Valve;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.request.Failure;
import org.understudy.session.http.BufferedResponse;

/**
 * A dispatch of an asynchronous request, whose {@link Exchange} has ended: an update of its own. The dispatch alone cannot be repeated,
 * because frameworks give the result of the asynchronous work to it once. After a conflict the whole request runs again, if it has changed
 * nothing in the session before. Belongs to Tomcat's thread, which waits for the replica.
 */
final class Dispatch {
  /** The note of a request that was made asynchronous. */
  private static final String EXCHANGE = Exchange.class.getName();

  private final ReplicatedSessionManager manager;
  private final Request request;
  private final Response response;
  private final Valve next;

  Dispatch(ReplicatedSessionManager manager, Request request, Response response, Valve next) {
    this.manager = manager;
    this.request = request;
    this.response = response;
    this.next = next;
  }

  /** Called when the exchange of an asynchronous request has ended: its dispatches follow. */
  static void expect(Request request, Exchange exchange) {
    request.setNote(EXCHANGE, exchange);
  }

  void run() throws IOException, ServletException {
    Exchange exchange = (Exchange) request.getNote(EXCHANGE);
    BufferedResponse answer = exchange == null ? null : exchange.answer();
    boolean held = answer != null && answer.holdBackAgain();
    Failure failure;
    boolean overtaken;
    try (LateRun run = new LateRun(manager, request.getRequest(), held ? answer : null)) {
      next.invoke(request, response);
      failure = run.store();
      overtaken = run.isOvertaken();
    }
    if (failure != null && overtaken && held && !hasBegun(answer) && exchange.runAgain()) {
      return;
    }
    if (failure != null) {
      manager.statistics().failure();
      Failure reported = exchange != null && exchange.isStored() ? executedInPart(failure) : failure;
      Answers.fail(request, response, reported, request.isAsync());
    } else if (held) {
      Answers.send(request, response, answer);
    }
  }

  private boolean hasBegun(BufferedResponse answer) {
    return answer.isUnprotected() || response.isCommitted() || request.isAsync();
  }

  /** A client must not repeat a request that has an effect, or whose identity is stored already. */
  private static Failure executedInPart(Failure failure) {
    return failure.code().isTerminal()
        ? failure
        : new Failure(
            FailureCode.ReplyDiscarded,
            "The request was executed until it was dispatched, and what it has changed after it was dispatched is lost: "
                + failure.sentence() + " Open the page again.");
  }
}
