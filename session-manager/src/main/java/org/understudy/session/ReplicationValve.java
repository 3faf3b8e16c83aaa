package org.understudy.session;

import jakarta.servlet.ServletException;
import java.io.IOException;
import org.apache.catalina.Session;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;

/**
 * Passes each request of the web application through an {@link Exchange}, and each dispatch of an asynchronous one through a
 * {@link Dispatch}. The manager adds it to the pipeline.
 */
final class ReplicationValve extends ValveBase {
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
      new Dispatch(manager, request, response, getNext()).run();
    } else if (!manager.healthPages().answer(path(request), response)) {
      forgetSession(request);
      new Exchange(manager, request, response, getNext()).run();
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
