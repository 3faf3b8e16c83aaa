package org.understudy.container.caller;

import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Collections;
import java.util.HexFormat;
import org.understudy.container.configuration.TrustedProxies;

/**
 * The client of a request.
 *
 * @param principal the authenticated caller, or the empty string
 * @param address the client's address; never part of an identity, for it may change from one attempt to the next
 */
public record Caller(String principal, String address) {
  private static final String ATTRIBUTE = Caller.class.getName();
  private static final int IPV6_BYTES = 16;

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

  /** Sets this as the caller of the request, after the proof of another replica has been verified. */
  public void proved(HttpServletRequest request) {
    request.setAttribute(ATTRIBUTE, this);
  }

  /** Returns the key of the share of the group's limits against which the caller's requests count. */
  public String owner() {
    return principal.isEmpty() ? "address:" + network(address) : "principal:" + principal;
  }

  /** Returns the 64-bit network of an IPv6 address, because a client controls all its addresses; else the address. */
  private static String network(String address) {
    if (address.indexOf(':') < 0) {
      return address;
    }
    try {
      byte[] bytes = InetAddress.getByName(address).getAddress();
      return bytes.length == IPV6_BYTES ? HexFormat.of().formatHex(bytes, 0, IPV6_BYTES / 2) : address;
    } catch (UnknownHostException e) {
      return address;
    }
  }
}
