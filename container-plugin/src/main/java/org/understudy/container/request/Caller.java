package org.understudy.container.request;

import jakarta.servlet.http.HttpServletRequest;

/**
 * Who sent a request.
 *
 * @param principal the authenticated caller, or the empty string
 * @param address the client's address; never part of an identity, for it may change from one attempt to the next
 */
public record Caller(String principal, String address) {
  /** The client at the other end of the connection. */
  public static Caller of(HttpServletRequest request) {
    String user = request.getRemoteUser();
    return new Caller(user == null ? "" : user, String.valueOf(request.getRemoteAddr()));
  }

  /** Whose share of the group's limits a request counts against. */
  public String owner() {
    return principal.isEmpty() ? "address:" + address : "principal:" + principal;
  }
}
