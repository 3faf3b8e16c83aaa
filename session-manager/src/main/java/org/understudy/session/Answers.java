package org.understudy.session;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.SessionTrackingMode;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.core.ApplicationSessionCookieConfig;
import org.apache.coyote.ActionCode;
import org.apache.tomcat.util.http.ServerCookie;
import org.apache.tomcat.util.http.ServerCookies;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.core.request.Failure;
import org.understudy.session.http.BufferedResponse;
import org.understudy.session.http.HandleCookie;
import org.understudy.session.http.StoredAnswer;

/** Writes answers to Tomcat's response. */
final class Answers {
  private static final Logger LOG = LoggerFactory.getLogger(Answers.class);
  private static final String RETRY_SECONDS = "1";

  private final HandleCookie cookies;

  Answers(HandleCookie cookies) {
    this.cookies = cookies;
  }

  /** What the web application has answered, for the group to keep. */
  static StoredAnswer stored(String session, Response response, BufferedResponse answer) {
    if (answer.isUnprotected() || response.getStatus() == HttpServletResponse.SC_SWITCHING_PROTOCOLS) {
      return StoredAnswer.unkept(session);
    }
    boolean error = response.isErrorReportRequired();
    return new StoredAnswer(
        session, true, response.getStatus(), error, response.getMessage(), response.getContentType(), headers(response),
        error ? new byte[0] : answer.body());
  }

  /** The headers that have been set. */
  static List<StoredAnswer.Header> headers(Response response) {
    List<StoredAnswer.Header> headers = new ArrayList<>();
    Set<String> names = new LinkedHashSet<>();
    for (String name : response.getHeaderNames()) {
      if (names.add(name.toLowerCase(Locale.ROOT))) {
        response.getHeaders(name).forEach(value -> headers.add(new StoredAnswer.Header(name, value)));
      }
    }
    return headers;
  }

  /** Sends what the web application has just answered. Status and headers are in the response. */
  static void send(Request request, Response response, BufferedResponse answer) throws IOException {
    byte[] body = answer.body();
    if (!answer.isUnprotected() && !response.isErrorReportRequired() && body.length > 0) {
      write(request, response, body);
    }
  }

  private static void write(Request request, Response response, byte[] body) throws IOException {
    response.setSuspended(false);
    if (!"HEAD".equals(request.getMethod()) && !response.containsHeader("Content-Encoding") && response.getContentLength() < 0) {
      response.setContentLength(body.length);
    }
    response.getOutputStream().write(body);
  }

  /**
   * Sends a stored answer again.
   *
   * @param before what the request's cookie says; null for none
   * @param now what the browser has seen with this answer
   */
  void replay(Request request, Response response, StoredAnswer stored, HandleCookie.Seen before, VersionHandle now) throws IOException {
    response.reset();
    if (!stored.session().isEmpty()) {
      setHandle(request, response, stored.session(), before, now);
    }
    if (!stored.kept()) {
      response.sendError(
          HttpServletResponse.SC_CONFLICT,
          "This request was executed earlier. Its answer was asynchronous, or longer than the server keeps. Open the page again.");
      return;
    }
    response.setStatus(stored.status());
    if (stored.contentType() != null) {
      response.setContentType(stored.contentType());
    }
    stored.headers().forEach(header -> response.addHeader(header.name(), header.value()));
    if (stored.error()) {
      response.sendError(stored.status(), stored.message());
    } else if (stored.body().length > 0) {
      write(request, response, stored.body());
    }
  }

  /**
   * Answers a request that has no result, or cuts off its answer.
   *
   * @param begun whether the answer has begun, or may begin at any time
   */
  static void fail(Request request, Response response, Failure failure, boolean begun) throws IOException {
    if (begun || response.isCommitted()) {
      LOG.warn("The answer to {} {} is cut off: {}", request.getMethod(), request.getRequestURI(), failure.sentence());
      request.getCoyoteRequest().action(ActionCode.CLOSE_NOW, null);
    } else {
      refuse(request, response, failure);
    }
  }

  /** Answers a request that has no result. */
  static void refuse(Request request, Response response, Failure failure) throws IOException {
    if (response.isCommitted()) {
      return;
    }
    // Otherwise Tomcat answers with the exception that the refusal has caused.
    request.removeAttribute(RequestDispatcher.ERROR_EXCEPTION);
    response.reset();
    response.setSuspended(false);
    int status = status(failure.code());
    if (status == HttpServletResponse.SC_SERVICE_UNAVAILABLE) {
      response.setHeader("Retry-After", RETRY_SECONDS);
    }
    response.setHeader("Understudy-Failure", failure.code().name());
    response.sendError(status, failure.sentence());
  }

  /** Balancers and browsers repeat a request that is answered with 503. */
  static int status(FailureCode code) {
    return switch (code) {
      case BadRequest -> HttpServletResponse.SC_BAD_REQUEST;
      case ExecutionFailed, TooLarge -> HttpServletResponse.SC_INTERNAL_SERVER_ERROR;
      default -> code.isTerminal() ? HttpServletResponse.SC_CONFLICT : HttpServletResponse.SC_SERVICE_UNAVAILABLE;
    };
  }

  /** What the browser's cookie says; null for none, or one that was not made for the session. */
  HandleCookie.Seen seen(Request request, String session) {
    ServerCookies all = request.getServerCookies();
    for (int i = 0; i < all.getCookieCount(); i++) {
      ServerCookie cookie = all.getCookie(i);
      if (cookie.getName().equals(HandleCookie.NAME)) {
        HandleCookie.Seen seen = cookies.seen(session, cookie.getValue().toString());
        if (seen != null) {
          return seen;
        }
      }
    }
    return null;
  }

  /**
   * Adds the cookie to an answer that has not been committed, if it shows more than the browser has seen. Otherwise the cookie stays: a
   * request whose answer is lost keeps its identity. Positions decide alone: the same state has a later handle in a later view, and the
   * cookie of a group that has begun anew counts as none.
   */
  void setHandle(Request request, Response response, String session, HandleCookie.Seen before, VersionHandle now) {
    if (before == null || now.position() > before.handle().position()) {
      add(request, response, session, HandleCookie.Seen.with(now));
    }
  }

  /** Adds the cookie to an answer that begins before its handle is known. */
  void setUnknownHandle(Request request, Response response, String session, HandleCookie.Seen before) {
    add(request, response, session, HandleCookie.Seen.atLeast(before == null ? VersionHandle.INITIAL : before.handle()));
  }

  private void add(Request request, Response response, String session, HandleCookie.Seen now) {
    Context context = request.getContext();
    if (!context.getServletContext().getEffectiveSessionTrackingModes().contains(SessionTrackingMode.COOKIE)) {
      return;
    }
    Cookie cookie = new Cookie(HandleCookie.NAME, cookies.value(session, now));
    // Where and for how long the browser sends the session's cookie, it sends this one.
    ApplicationSessionCookieConfig.createSessionCookie(context, session, request.isSecure()).getAttributes().forEach(cookie::setAttribute);
    cookie.setHttpOnly(true);
    response.addCookie(cookie);
  }
}
