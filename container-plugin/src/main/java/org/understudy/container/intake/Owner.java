package org.understudy.container.intake;

import jakarta.servlet.http.HttpServletRequest;

/** Whose share a request uses: its principal's if it is authenticated, else its client address's. */
public final class Owner {
  private static final int IPV6_PREFIX_GROUPS = 4;

  private Owner() {}

  /** Never null. An IPv6 client is its /64 network, since it has all addresses of that. */
  public static String of(HttpServletRequest request) {
    String principal = request.getRemoteUser();
    return principal == null ? network(request.getRemoteAddr()) : "user " + principal;
  }

  /** The address, or the first 64 bits of an IPv6 address as Tomcat writes it: in full, without "::". */
  static String network(String address) {
    if (address == null) {
      return "";
    }
    int end = -1;
    for (int group = 0; group < IPV6_PREFIX_GROUPS; group++) {
      end = address.indexOf(':', end + 1);
      if (end < 0) {
        return address;
      }
    }
    return address.substring(0, end);
  }
}
