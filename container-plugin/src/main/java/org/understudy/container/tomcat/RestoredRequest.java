package org.understudy.container.tomcat;

import jakarta.servlet.http.HttpServletRequest;
import java.security.cert.X509Certificate;
import org.apache.catalina.connector.Request;
import org.apache.catalina.realm.GenericPrincipal;
import org.apache.catalina.util.SessionConfig;
import org.apache.coyote.ActionCode;
import org.apache.tomcat.util.buf.ByteChunk;
import org.apache.tomcat.util.buf.MessageBytes;
import org.apache.tomcat.util.http.MimeHeaders;
import org.apache.tomcat.util.http.ServerCookie;
import org.apache.tomcat.util.http.ServerCookies;
import org.understudy.container.caller.SentContentType;
import org.understudy.container.forwarding.sealed.AuthenticatedUser;
import org.understudy.container.forwarding.sealed.ClientRequest;
import org.understudy.container.forwarding.sealed.HeaderField;
import org.understudy.container.intake.ReceivedBody;
import org.understudy.soap.mime.ContentType;

/**
 * Gives Tomcat's request object the properties of a client's request. All that Tomcat derives from them later, such as cookies, locales,
 * parameters and the session, is then the client's. Uses the methods that Tomcat's own valves use for proxies and saved requests.
 */
final class RestoredRequest {
  private RestoredRequest() {}

  /** Restores a request whose body has been read. */
  static void restore(Request request, ClientRequest client) {
    HttpServletRequest own = request.getRequest();
    String sent = client.field("Content-Type");
    // The message has been written anew, unless it was in UTF-8 already.
    String type = isUtf8(sent) ? sent : own.getContentType();
    org.apache.coyote.Request connector = request.getCoyoteRequest();
    headers(connector, client, type);
    body(connector, ReceivedBody.of(own).bytes());
    target(request, client);
    request.setRemoteAddr(client.address());
    request.setRemoteHost(client.address());
    if (!client.certificates().isEmpty()) {
      own.setAttribute(ClientRequest.CERTIFICATES, client.certificates().toArray(X509Certificate[]::new));
    }
    if (sent != null && !sent.equals(type)) {
      SentContentType.keep(own, sent);
    }
    session(request);
    user(request, client.user());
  }

  private static boolean isUtf8(String type) {
    String charset = type == null ? null : ContentType.of(type).parameter("charset");
    return charset != null && charset.equalsIgnoreCase("UTF-8");
  }

  private static void headers(org.apache.coyote.Request connector, ClientRequest client, String type) {
    MimeHeaders headers = connector.getMimeHeaders();
    headers.recycle();
    MessageBytes typeField = headers.addValue("content-type");
    typeField.setString(type);
    connector.setContentType(typeField);
    for (HeaderField field : client.fields()) {
      if (!field.name().equalsIgnoreCase("Content-Type")) {
        headers.addValue(field.name()).setString(field.value());
      }
    }
  }

  /** Filters of the application that read the body get it, though it has been read. */
  private static void body(org.apache.coyote.Request connector, byte[] message) {
    ByteChunk replayed = new ByteChunk();
    replayed.setBytes(message, 0, message.length);
    connector.action(ActionCode.REQ_SET_BODY_REPLAY, replayed);
    connector.getMimeHeaders().addValue("content-length").setString(Integer.toString(message.length));
    connector.setContentLength(message.length);
  }

  private static void target(Request request, ClientRequest client) {
    org.apache.coyote.Request connector = request.getCoyoteRequest();
    connector.scheme().setString(client.scheme());
    request.setSecure(client.secure());
    connector.serverName().setString(client.host());
    connector.setServerPort(client.port());
    connector.requestURI().setString(request.getContextPath() + client.path());
    if (client.query() != null) {
      connector.queryString().setString(client.query());
    }
  }

  private static void session(Request request) {
    String name = SessionConfig.getSessionCookieName(request.getContext());
    org.apache.coyote.Request connector = request.getCoyoteRequest();
    ServerCookies cookies = connector.getCookies();
    // Those of the forwarding replica's request have been read already, to find its session.
    cookies.recycle();
    request.getContext().getCookieProcessor().parseCookieHeader(connector.getMimeHeaders(), cookies);
    for (int i = 0; i < cookies.getCookieCount(); i++) {
      ServerCookie cookie = cookies.getCookie(i);
      if (cookie.getName().equals(name) && !request.isRequestedSessionIdFromCookie()) {
        request.setRequestedSessionId(cookie.getValue().toString());
        request.setRequestedSessionCookie(true);
        request.setRequestedSessionURL(false);
      }
    }
  }

  private static void user(Request request, AuthenticatedUser user) {
    if (user != null) {
      request.setUserPrincipal(new GenericPrincipal(user.name(), user.roles()));
      request.setAuthType(user.method());
    }
  }
}
