package org.understudy.container.forwarding.sealed;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.function.Supplier;

/**
 * The user that a server has authenticated, by any of its methods.
 *
 * @param method as {@link HttpServletRequest#getAuthType()}, or null
 * @param roles those of the server's realm
 */
public record AuthenticatedUser(String name, String method, List<String> roles) {
  private static final String ATTRIBUTE = AuthenticatedUser.class.getName();

  /** Returns the user of a request; null without one, and where the server does not tell. */
  static AuthenticatedUser of(HttpServletRequest request) {
    return request.getAttribute(ATTRIBUTE) instanceof Supplier<?> user ? (AuthenticatedUser) user.get() : null;
  }

  /**
   * Lets a server tell the user of a request.
   *
   * @param user asked while the request is open, after the server has authenticated; may return null
   */
  public static void provide(HttpServletRequest request, Supplier<AuthenticatedUser> user) {
    request.setAttribute(ATTRIBUTE, user);
  }
}
