package org.understudy.container.forwarding.sealed;

import java.util.Locale;
import java.util.Set;

/** One field of the header of a client's HTTP request. A name may occur in several fields. */
public record HeaderField(String name, String value) {
  private static final Set<String> OF_ONE_HOP =
      Set.of("connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade");

  /** Whether fields of this name are about one connection, and are not passed on (RFC 9110, section 7.6.1). */
  public static boolean isOfOneHop(String name) {
    return OF_ONE_HOP.contains(name.toLowerCase(Locale.ROOT));
  }
}
