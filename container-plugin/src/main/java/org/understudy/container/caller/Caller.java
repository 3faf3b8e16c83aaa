package org.understudy.container.caller;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import org.understudy.container.configuration.TrustedProxies;
import org.understudy.replication.runtime.share.ClientAddress;

/**
 * The client of a request.
 *
 * @param principal the authenticated caller, or the empty string
 * @param address the client's address; never part of an identity, for it may change from one attempt to the next
 */
public record Caller(String principal, String address) {
  private static final String ATTRIBUTE = Caller.class.getName();

  /**
   * Returns the client of a request. This is the client for which another replica forwarded the request, if that is proved; else
   * the client of the connection, or of the trusted proxy at its other end.
   */
  public static Caller of(HttpServletRequest request) {
    if (request.getAttribute(ATTRIBUTE) instanceof Caller proved) {
      return proved;
    }
    String user = request.getRemoteUser();
    String address = String.valueOf(request.getRemoteAddr());
    if (request.getServletContext().getAttribute(TrustedProxies.class.getName()) instanceof TrustedProxies proxies
        && proxies.isTrusted(address)) {
      address = proxies.client(address, Collections.list(request.getHeaders(TrustedProxies.HEADER)));
    }
    return new Caller(user == null ? "" : user, address);
  }

  /** Whether another replica has forwarded a request, and has proved for whom. */
  public static boolean isForwarded(HttpServletRequest request) {
    return request.getAttribute(ATTRIBUTE) instanceof Caller;
  }

  /** Sets this as the caller of the request, after the proof of another replica has been verified. */
  public void proved(HttpServletRequest request) {
    request.setAttribute(ATTRIBUTE, this);
  }

  /** Returns the key of the share of the group's limits against which the caller's requests count. */
  public String owner() {
    return principal.isEmpty() ? ClientAddress.owner(address) : "principal:" + principal;
  }
}
