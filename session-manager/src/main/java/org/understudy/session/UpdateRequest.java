package org.understudy.session;

import jakarta.servlet.http.Cookie;
import java.util.List;
import java.util.Locale;
import org.apache.catalina.connector.Request;
import org.apache.catalina.util.SessionConfig;
import org.understudy.replication.api.VersionHandle;
import org.understudy.session.http.HandleCookie;
import org.understudy.session.http.RequestIdentity;
import org.understudy.session.http.RequestIdentity.Identity;

/** Makes the group's request of an HTTP request. Thread-safe. */
final class UpdateRequest {
  private final RequestIdentity identity;
  private final List<String> headers;

  /** @param headers whose values are part of a request's identity; {@code Cookie} means all cookies but those of Tomcat and the manager */
  UpdateRequest(RequestIdentity identity, List<String> headers) {
    this.identity = identity;
    this.headers = headers;
  }

  /**
   * The request for an update, with the identity of the HTTP request if it has one.
   *
   * @param session that the HTTP request names; null for none
   * @param seen what its cookie says; null for none
   * @param client who pays for what the request stores
   */
  org.understudy.replication.core.request.Request identified(
      Request request, String session, HandleCookie.Seen seen, byte[] body, String client) {
    // Each handshake opens a connection of its own, so equal ones are all meant.
    boolean webSocket = "websocket".equalsIgnoreCase(request.getHeader("upgrade"));
    return of(session == null || webSocket ? Identity.NONE : identity.of(session, seen, content(request, body)), seen, client);
  }

  /** The request for an update that nothing identifies. */
  static org.understudy.replication.core.request.Request unidentified(HandleCookie.Seen seen, String client) {
    return of(Identity.NONE, seen, client);
  }

  private static org.understudy.replication.core.request.Request of(Identity identity, HandleCookie.Seen seen, String client) {
    return new org.understudy.replication.core.request.Request(
        identity.key(), identity.digest(), org.understudy.replication.core.request.Request.Kind.UPDATE, null,
        seen == null ? VersionHandle.INITIAL : seen.handle(), 0, "", client);
  }

  private RequestIdentity.Content content(Request request, byte[] body) {
    String type = request.getContentType();
    boolean form = type != null && type.toLowerCase(Locale.ROOT).startsWith("application/x-www-form-urlencoded");
    String query = request.getQueryString();
    String uri = query == null ? request.getRequestURI() : request.getRequestURI() + "?" + query;
    return new RequestIdentity.Content(request.getMethod(), uri, query, values(request), body, form);
  }

  /** A line for each value. No value has a line end. */
  private String values(Request request) {
    StringBuilder lines = new StringBuilder();
    for (String header : headers) {
      if (header.equalsIgnoreCase("Cookie")) {
        String own = SessionConfig.getSessionCookieName(request.getContext());
        for (Cookie cookie : request.getCookies() == null ? new Cookie[0] : request.getCookies()) {
          if (!cookie.getName().equals(own) && !cookie.getName().equals(HandleCookie.NAME)) {
            lines.append(header).append(':').append(cookie.getName()).append('=').append(cookie.getValue()).append('\n');
          }
        }
      } else {
        request.getHeaders(header).asIterator().forEachRemaining(value -> lines.append(header).append(':').append(value).append('\n'));
      }
    }
    return lines.toString();
  }
}
