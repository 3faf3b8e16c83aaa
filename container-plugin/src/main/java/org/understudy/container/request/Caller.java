package org.understudy.container.request;

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
   * The client for whom another replica forwarded the request, if that has been proved; else the client at the other end of
   * the connection, or of the trusted proxy there.
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

  /** From now on this is the caller of the request. */
  void proved(HttpServletRequest request) {
    request.setAttribute(ATTRIBUTE, this);
  }

  /** Whose share of the group's limits a request counts against. */
  public String owner() {
    return principal.isEmpty() ? "address:" + network(address) : "principal:" + principal;
  }

  /** An IPv6 client counts with its network of 64 bits, since it has all addresses of that; other addresses as they are. */
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
