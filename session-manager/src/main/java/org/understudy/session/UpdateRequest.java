package org.understudy.session;

import java.util.Locale;
import org.apache.catalina.connector.Request;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.session.http.HandleCookie;
import org.understudy.session.http.RequestIdentity;

/** Makes the group's request of an HTTP request. */
final class UpdateRequest {
  private UpdateRequest() {}

  /**
   * The request for an update, with the identity of the HTTP request if it has one.
   *
   * @param session that the HTTP request names; null for none
   * @param seen what its cookie says; null for none
   * @param client who pays for what the request stores
   */
  static org.understudy.replication.core.request.Request of(
      RequestIdentity identity, Request request, String session, HandleCookie.Seen seen, byte[] body, String client) {
    RequestKey key = null;
    long digest = 0;
    if (session != null) {
      RequestIdentity.Content content = content(request, body);
      key = identity.key(session, seen, content);
      digest = key == null ? 0 : identity.digest(content);
    }
    return new org.understudy.replication.core.request.Request(
        key, digest, org.understudy.replication.core.request.Request.Kind.UPDATE, null,
        seen == null ? VersionHandle.INITIAL : seen.handle(), 0, "", client);
  }

  private static RequestIdentity.Content content(Request request, byte[] body) {
    String type = request.getContentType();
    boolean form = type != null && type.toLowerCase(Locale.ROOT).startsWith("application/x-www-form-urlencoded");
    String query = request.getQueryString();
    String uri = query == null ? request.getRequestURI() : request.getRequestURI() + "?" + query;
    return new RequestIdentity.Content(request.getMethod(), uri, query, request.getHeader("authorization"), body, form);
  }
}
