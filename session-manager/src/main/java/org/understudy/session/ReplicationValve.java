package org.understudy.session;

import jakarta.servlet.ServletException;
import java.io.IOException;
import org.apache.catalina.Session;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.coyote.ActionCode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.core.request.Failure;

/** Passes each request of the web application through an {@link Exchange}. The manager adds it to the pipeline. */
final class ReplicationValve extends ValveBase {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicationValve.class);

  private final ReplicatedSessionManager manager;

  ReplicationValve(ReplicatedSessionManager manager) {
    super(true);
    this.manager = manager;
  }

  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    if (!manager.isReplicated()) {
      getNext().invoke(request, response);
    } else if (manager.runs().current() != null) {
      // A RewriteValve of the web application has begun all valves again.
      getNext().invoke(request, response);
      manager.runs().current().leaveRewritten();
    } else if (request.isAsync()) {
      dispatch(request, response);
    } else if (!manager.healthPages().answer(path(request), response)) {
      forgetSession(request);
      new Exchange(manager, request, response, getNext()).run();
    }
  }

  /** Runs a dispatch of an asynchronous request, whose exchange has ended. What it changes in the session is an update of its own. */
  private void dispatch(Request request, Response response) throws IOException, ServletException {
    try (LateRun run = new LateRun(manager, request.getRequest())) {
      getNext().invoke(request, response);
      Failure failure = run.store();
      if (failure == null) {
        return;
      }
      manager.statistics().failure();
      if (response.isCommitted() || request.isAsync()) {
        LOG.warn("The answer to {} {} is cut off: {}", request.getMethod(), request.getRequestURI(), failure.sentence());
        request.getCoyoteRequest().action(ActionCode.CLOSE_NOW, null);
      } else {
        Answers.refuse(request, response, failure);
      }
    }
  }

  /** Within the web application, which may have no servlet for it. */
  private static String path(Request request) {
    String uri = request.getDecodedRequestURI();
    String context = request.getContext().getPath();
    return uri.startsWith(context) ? uri.substring(context.length()) : uri;
  }

  /** Forgets the session that a listener or an earlier valve has looked up, so that the web application finds it in its transaction. */
  private void forgetSession(Request request) {
    String id = request.getRequestedSessionId();
    boolean cookie = request.isRequestedSessionIdFromCookie();
    Session early = id == null || !manager.isKnown(id) ? request.getSessionInternal(false) : null;
    if (early != null) {
      // A listener of requests has created it.
      id = early.getIdInternal();
      cookie = true;
    }
    forgetSession(request, id, cookie, request.isRequestedSessionIdFromURL());
  }

  /** The same, with what the request names a session by. */
  static void forgetSession(Request request, String id, boolean cookie, boolean url) {
    request.recycleSessionInfo();
    request.setRequestedSessionId(id);
    request.setRequestedSessionCookie(cookie);
    request.setRequestedSessionURL(url);
    request.setRequestedSessionSSL(id != null && !cookie && !url);
  }
}
