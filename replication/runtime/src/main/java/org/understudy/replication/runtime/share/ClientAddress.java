package org.understudy.replication.runtime.share;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * What one client is, where nothing but its address is known: an IPv4 address, or the 64-bit network of an IPv6 address, because a client
 * controls all addresses of its network. Names are never looked up.
 */
public final class ClientAddress {
  private static final int IPV6_BYTES = 16;
  private static final Pattern IPV4 = Pattern.compile("(?:(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?:\\.(?!$)|$)){4}");
  private static final Pattern IPV6 = Pattern.compile("[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");

  private ClientAddress() {}

  /** Returns the bytes of a literal address, 4 or 16; null when the text is none. */
  public static byte[] bytes(String text) {
    if (!IPV4.matcher(text).matches() && !IPV6.matcher(text).matches()) {
      return null;
    }
    try {
      // With a colon, or as four numbers below 256, the text is not taken for a name.
      return InetAddress.getByName(text).getAddress();
    } catch (UnknownHostException e) {
      return null;
    }
  }

  /**
   * Returns the key of a client's share of any limit.
   *
   * @param address as the server knows it, perhaps with the zone of a link-local address
   */
  public static String owner(String address) {
    int zone = address.indexOf('%');
    byte[] bytes = bytes(zone < 0 ? address : address.substring(0, zone));
    boolean long6 = bytes != null && bytes.length == IPV6_BYTES;
    return "address:" + (long6 ? HexFormat.of().formatHex(bytes, 0, IPV6_BYTES / 2) : address);
  }
}
