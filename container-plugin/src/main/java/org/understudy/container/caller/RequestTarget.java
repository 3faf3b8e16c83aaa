package org.understudy.container.caller;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;

/**
 * What a request's URL addresses. The container has decoded the path and removed parameters, empty segments and dots from it, which the
 * request's URI still holds.
 */
public final class RequestTarget {
  /** What RFC 3986 permits in a path, without the semicolon, at which the container would cut a segment off. */
  private static final String LITERAL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/:@!$&'()*+,=";
  private static final String HEX = "0123456789ABCDEF";

  private RequestTarget() {}

  /** Returns the path within the web application, decoded. */
  public static String path(HttpServletRequest request) {
    return request.getPathInfo() == null ? request.getServletPath() : request.getServletPath() + request.getPathInfo();
  }

  /** Returns the path within the web application as the client has written it. */
  public static String written(HttpServletRequest request) {
    String uri = request.getRequestURI();
    int begin = 0;
    // Tomcat's context path has one slash at its beginning, whatever the client has written.
    while (uri.startsWith("//", begin)) {
      begin++;
    }
    return uri.substring(begin + request.getContextPath().length());
  }

  /** Returns a decoded path as it is written in a URL. */
  public static String encoded(String path) {
    StringBuilder encoded = new StringBuilder(path.length());
    for (byte one : path.getBytes(StandardCharsets.UTF_8)) {
      if (LITERAL.indexOf(one) >= 0) {
        encoded.append((char) one);
      } else {
        encoded.append('%').append(HEX.charAt(one >> 4 & 0xf)).append(HEX.charAt(one & 0xf));
      }
    }
    return encoded.toString();
  }

  /**
   * Dispatches a request again to what its URL addresses. Tomcat's own {@link AsyncContext#dispatch()} cuts the context path off the
   * request's URI, and does not expect several slashes before it: the rest would be no path, and the request would never continue.
   *
   * @param async of the request; throws what it throws
   */
  public static void dispatch(HttpServletRequest request, AsyncContext async) {
    if (request.getRequestURI().startsWith("//")) {
      async.dispatch(encoded(path(request)));
    } else {
      async.dispatch();
    }
  }

  /** Returns the URL of the web application as the client has addressed it, without a slash at its end. */
  public static String application(HttpServletRequest request) {
    String url = request.getRequestURL().toString();
    return url.substring(0, url.length() - request.getRequestURI().length()) + request.getServletContext().getContextPath();
  }
}
