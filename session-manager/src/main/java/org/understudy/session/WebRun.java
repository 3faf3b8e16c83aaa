package org.understudy.session;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;
import java.util.HashSet;
import java.util.Set;
import org.apache.catalina.Valve;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.understudy.session.http.BufferedResponse;
import org.understudy.session.http.RepeatableRequest;

/** Runs the web application with one request, again after a run that was rolled back. Belongs to one thread. */
final class WebRun {
  private final Request request;
  private final Response response;
  private final Valve next;
  private final RequestListeners listeners;
  private final byte[] body;
  /** The attributes, the user and the kind of authentication of the request before the first run. */
  private final Set<String> attributes;
  private final Principal principal;
  private final String authType;
  private RepeatableRequest repeatable;
  /** A run was rolled back. */
  private boolean again;

  WebRun(Request request, Response response, Valve next, RequestListeners listeners, byte[] body) {
    this.request = request;
    this.response = response;
    this.next = next;
    this.listeners = listeners;
    this.body = body;
    this.attributes = attributeNames();
    this.principal = request.getPrincipal();
    this.authType = request.getAuthType();
  }

  private Set<String> attributeNames() {
    Set<String> names = new HashSet<>();
    request.getAttributeNames().asIterator().forEachRemaining(names::add);
    return names;
  }

  /**
   * Runs the web application. Its listeners of requests hear of the end within the run, unless a page for an error is to come.
   *
   * @param answer takes what the web application writes
   * @param asynchronous runs before the web application begins to process the request asynchronously
   */
  void once(BufferedResponse answer, Runnable asynchronous) throws IOException, ServletException {
    HttpServletRequest original = request.getRequest();
    repeatable = new RepeatableRequest(original, body, asynchronous);
    request.setRequest(repeatable);
    response.setResponse(answer);
    try {
      if (!again || listeners.beginAgain(original)) {
        next.invoke(request, response);
      }
      end(original);
    } finally {
      response.setResponse((HttpServletResponse) answer.getResponse());
      if (!request.isAsync()) {
        request.setRequest(original);
      }
    }
  }

  private void end(HttpServletRequest original) throws IOException {
    if (request.isAsync() || hasErrorPage()) {
      return;
    }
    listeners.end(original);
    if (request.getAttribute(RequestDispatcher.ERROR_EXCEPTION) != null && !response.isError() && !response.isCommitted()) {
      // A listener has thrown. Tomcat would answer so, after the answer has been stored.
      response.sendError(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
    }
  }

  /** Whether Tomcat may call the web application once more, which is still in the request then. */
  private boolean hasErrorPage() {
    return response.isErrorReportRequired() && request.getContext().findErrorPages().length > 0;
  }

  /** After an answer that is an error: lets a page for it be in the request, whose end the listeners know already. */
  void beginErrorPage() {
    if (!request.isAsync() && hasErrorPage()) {
      listeners.goOn(request.getRequest());
    }
  }

  /** After a stored answer. What the listeners throw at the end of the request does not replace it: they cannot change the session. */
  void endRepeated() {
    if (!hasErrorPage()) {
      listeners.end(request.getRequest());
      request.removeAttribute(RequestDispatcher.ERROR_EXCEPTION);
    }
  }

  /** Lets a ReadListener of an asynchronous request have the body, after the last run has ended. */
  void notifyReadListener() {
    if (repeatable != null && request.isAsync()) {
      repeatable.notifyReadListener();
    }
  }

  /**
   * Prepares the next run after one that was rolled back. A login or logout of that run has not happened.
   *
   * @param requestedSession null for none
   */
  void reset(String requestedSession) {
    again = true;
    response.reset();
    response.setSuspended(false);
    for (String name : attributeNames()) {
      if (!attributes.contains(name)) {
        request.removeAttribute(name);
      }
    }
    ReplicationValve.forgetSession(
        request, requestedSession, request.isRequestedSessionIdFromCookie(), request.isRequestedSessionIdFromURL());
    request.setUserPrincipal(principal);
    request.setAuthType(authType);
  }
}
