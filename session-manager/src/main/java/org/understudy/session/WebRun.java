package org.understudy.session;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.Principal;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.catalina.Globals;
import org.apache.catalina.Valve;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.session.http.BufferedResponse;
import org.understudy.session.http.RepeatableRequest;
import org.understudy.session.http.StoredAnswer;

/** Runs the web application with one request, again after a run that was rolled back. Belongs to one thread. */
final class WebRun {
  private static final Logger LOG = LoggerFactory.getLogger(WebRun.class);

  private final Request request;
  private final Response response;
  private final Valve next;
  private final RequestListeners listeners;
  private final Consumer<String> using;
  private final byte[] body;
  private final HttpServletRequest original;
  /** The attributes, the user and the kind of authentication of the request before the first run. */
  private final Set<String> attributes;
  private final Principal principal;
  private final String authType;
  /** What has been set before the first run: the cookie of a session that a listener has created. */
  private final List<StoredAnswer.Header> headers;
  /** The error of a request that was rewritten, until the run ends; null for none. */
  private HeldError held;
  private RepeatableRequest repeatable;
  /** A run was rolled back. */
  private boolean again;
  /** Tomcat has called the listeners of requests at the end of that run, which was a dispatch. */
  private boolean dispatched;

  /** @param using takes the id of the session when the web application asks for it */
  WebRun(Request request, Response response, Valve next, RequestListeners listeners, byte[] body, Consumer<String> using) {
    this.request = request;
    this.response = response;
    this.next = next;
    this.listeners = listeners;
    this.using = using;
    this.body = body;
    this.original = request.getRequest();
    this.attributes = attributeNames();
    this.principal = request.getPrincipal();
    this.authType = request.getAuthType();
    this.headers = Answers.headers(response);
  }

  /** An error of the web application that Tomcat's host has not seen yet. */
  private record HeldError(int status, String message, Object exception) {}

  private Set<String> attributeNames() {
    Set<String> names = new HashSet<>();
    request.getAttributeNames().asIterator().forEachRemaining(names::add);
    return names;
  }

  /**
   * Runs the web application, with its page for an error. Its listeners of requests hear of the end within the run, unless Tomcat is to
   * show a page.
   *
   * @param answer takes what the web application writes
   * @param accepted whether the run has not been refused: then its page for an error would not be sent
   */
  void once(BufferedResponse answer, BooleanSupplier accepted) throws IOException, ServletException {
    repeatable = new RepeatableRequest(original, body, () -> unprotect(answer), this::directoryOfParts, using);
    request.setRequest(repeatable);
    response.setResponse(answer);
    try {
      if (begin()) {
        invoke(accepted);
        reportHeldError();
        showErrorPage(answer, accepted.getAsBoolean());
      }
      end();
    } finally {
      response.setResponse((HttpServletResponse) answer.getResponse());
      if (!request.isAsync()) {
        request.setRequest(original);
      }
    }
  }

  /** A valve of the web application that was refused a session, as that of a login by a form, throws what a servlet would throw. */
  private void invoke(BooleanSupplier accepted) throws IOException, ServletException {
    try {
      next.invoke(request, response);
    } catch (UnavailableSessionException e) {
      if (accepted.getAsBoolean()) {
        throw e;
      }
      LOG.debug("The web application has got no session.", e);
    }
  }

  /** The web application begins to process the request asynchronously: its threads may write at any time. */
  private static void unprotect(BufferedResponse answer) {
    try {
      answer.unprotect();
    } catch (IOException e) {
      throw new UncheckedIOException("The client has closed its connection.", e);
    }
  }

  private boolean begin() {
    boolean known = dispatched;
    dispatched = false;
    if (known) {
      return listeners.begin(original);
    }
    boolean missed = listeners.haveMissedSession(original);
    return !again && !missed || listeners.beginAgain(original);
  }

  /** Where Tomcat writes a part of a body to a file with a relative path. */
  private File directoryOfParts() {
    File temporary = (File) request.getContext().getServletContext().getAttribute(ServletContext.TEMPDIR);
    MultipartConfigElement configured = request.getWrapper() == null ? null : request.getWrapper().getMultipartConfigElement();
    if (configured == null || configured.getLocation().isEmpty()) {
      return temporary;
    }
    File location = new File(configured.getLocation());
    return location.isAbsolute() ? location : new File(temporary, configured.getLocation());
  }

  private void showErrorPage(BufferedResponse answer, boolean accepted) {
    if (accepted && !request.isAsync()) {
      ErrorPages.show(request, response, answer);
    }
  }

  /** Shows the page for an error of a request that was rewritten. Without one, keeps the error from Tomcat's host until the run ends. */
  void holdError(BufferedResponse answer, boolean accepted) {
    showErrorPage(answer, accepted);
    if (!request.isAsync() && response.isErrorReportRequired() && !response.isCommitted()) {
      held = new HeldError(response.getStatus(), response.getMessage(), request.getAttribute(RequestDispatcher.ERROR_EXCEPTION));
      request.removeAttribute(RequestDispatcher.ERROR_EXCEPTION);
      response.resetError();
    }
  }

  private void reportHeldError() throws IOException {
    if (held != null) {
      request.setAttribute(RequestDispatcher.ERROR_EXCEPTION, held.exception);
      response.sendError(held.status, held.message);
      held = null;
    }
  }

  private void end() throws IOException {
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
    return ErrorPages.find(request, response) != null;
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
      listeners.endRepeated(original);
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
   * Prepares the next run after a dispatch that was rolled back, and has ended the request for Tomcat.
   *
   * @param requestedSession null for none
   */
  void resetDispatched(String requestedSession) {
    dispatched = true;
    request.setRequest(original);
    reset(requestedSession);
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
    // Where the undone run has ended its answer, as a redirect does, Tomcat ignores the headers of the next one.
    response.setAppCommitted(false);
    headers.forEach(header -> response.addHeader(header.name(), header.value()));
    for (String name : attributeNames()) {
      if (!attributes.contains(name)) {
        request.removeAttribute(name);
      }
    }
    ReplicationValve.forgetSession(
        request, requestedSession, request.isRequestedSessionIdFromCookie(), request.isRequestedSessionIdFromURL());
    request.setAttribute(Globals.DISPATCHER_TYPE_ATTR, DispatcherType.REQUEST);
    request.setUserPrincipal(principal);
    request.setAuthType(authType);
  }
}
