package org.understudy.container.caller;

import jakarta.servlet.http.HttpServletRequest;

/**
 * The Content-Type that a client has sent. It is not that of the request where another replica has forwarded the message in UTF-8, or with
 * its parts written anew.
 */
public final class SentContentType {
  private static final String ATTRIBUTE = SentContentType.class.getName();

  private SentContentType() {}

  /** Returns the Content-Type of the client, or null. */
  public static String of(HttpServletRequest request) {
    return request.getAttribute(ATTRIBUTE) instanceof String sent ? sent : request.getContentType();
  }

  /** Notes the Content-Type of the client of a request that has another one. */
  public static void keep(HttpServletRequest request, String sent) {
    request.setAttribute(ATTRIBUTE, sent);
  }
}
