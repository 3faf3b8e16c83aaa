package org.understudy.container.session;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.container.response.Answers;
import org.understudy.container.response.EndListener;
import org.understudy.container.response.UnsentResponse;

/**
 * The response to a client that opens, renews or closes a session, sent without a thread of the replica. When the client closes its
 * connection, the container uses the objects of the request for another client: nothing is written to them from then on, and the container
 * waits until a write that has begun has ended. Thread-safe.
 */
final class SessionAnswer implements EndListener {
  private static final Logger LOG = LoggerFactory.getLogger(SessionAnswer.class);

  /** Writes a response. */
  @FunctionalInterface
  interface Write {
    void to(HttpServletResponse response) throws IOException;
  }

  private final AsyncContext async;
  private final HttpServletResponse response;
  // Guarded by this.
  private boolean ended;

  /** Makes the request asynchronous, without a timeout. */
  SessionAnswer(HttpServletRequest request, HttpServletResponse response) {
    this.response = response;
    this.async = request.startAsync(request, response);
    async.setTimeout(0);
  }

  /** Notices from now on when the client closes its connection. Called once, before there is a response. */
  void watch() {
    async.addListener(this);
  }

  /** Sends the response. Has no effect after the first one, or for a client that has gone. Does not block. */
  synchronized void send(Write write) {
    if (ended) {
      return;
    }
    ended = true;
    try {
      write.to(new UnsentResponse(response));
    } catch (IOException | IllegalStateException e) {
      LOG.debug("The client closed its connection before the response was sent.", e);
    }
    Answers.complete(async);
  }

  @Override
  public synchronized void ended() {
    ended = true;
  }
}
