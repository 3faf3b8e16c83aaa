package org.understudy.container.configuration;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.understudy.replication.runtime.share.ClientAddress;

/**
 * The addresses of load balancers and proxies whose {@code X-Forwarded-For} is trusted. The client's address is the last one in it that
 * is not a trusted proxy's, because a client can forge the entries before that. Immutable.
 */
public final class TrustedProxies {
  public static final String HEADER = "X-Forwarded-For";

  private record Network(byte[] address, int bits) {
    boolean contains(byte[] other) {
      if (other.length != address.length) {
        return false;
      }
      for (int i = 0; i < bits; i++) {
        int mask = 0x80 >> (i & 7);
        if ((address[i >> 3] & mask) != (other[i >> 3] & mask)) {
          return false;
        }
      }
      return true;
    }
  }

  private final List<Network> networks;

  private TrustedProxies(List<Network> networks) {
    this.networks = networks;
  }

  /**
   * Reads a list of addresses and networks.
   *
   * @param list for example {@code 192.0.2.1, 10.0.0.0/8, fd00::/8}, or {@code none}
   * @throws IllegalArgumentException when an entry is neither an address nor a network
   */
  public static TrustedProxies parse(String list) {
    List<Network> networks = new ArrayList<>();
    if (!list.strip().equals("none")) {
      for (String entry : list.split(",")) {
        networks.add(network(entry.strip()));
      }
    }
    return new TrustedProxies(List.copyOf(networks));
  }

  private static Network network(String entry) {
    int slash = entry.indexOf('/');
    byte[] address = ClientAddress.bytes(slash < 0 ? entry : entry.substring(0, slash));
    if (address == null) {
      throw new IllegalArgumentException("'" + entry + "' is not an address like 192.0.2.1 or a network like 10.0.0.0/8.");
    }
    int bits = address.length * 8;
    try {
      bits = slash < 0 ? bits : Integer.parseInt(entry.substring(slash + 1));
    } catch (NumberFormatException e) {
      bits = -1;
    }
    if (bits < 0 || bits > address.length * 8) {
      throw new IllegalArgumentException("'" + entry + "' has an invalid number of bits after the slash.");
    }
    return new Network(address, bits);
  }

  /** Whether the header is trusted in requests from this address. */
  public boolean isTrusted(String address) {
    byte[] bytes = networks.isEmpty() ? null : ClientAddress.bytes(address);
    return bytes != null && networks.stream().anyMatch(network -> network.contains(bytes));
  }

  /**
   * The client's address.
   *
   * @param peer the address at the other end of the connection
   * @param forwardedFor the values of the header, in order
   */
  public String client(String peer, List<String> forwardedFor) {
    String client = peer;
    if (isTrusted(peer)) {
      List<String> hops = new ArrayList<>();
      for (String value : forwardedFor) {
        hops.addAll(List.of(value.split(",")));
      }
      Collections.reverse(hops);
      for (String hop : hops) {
        String address = withoutPort(hop.strip());
        if (ClientAddress.bytes(address) == null) {
          break;
        }
        client = address;
        if (!isTrusted(address)) {
          break;
        }
      }
    }
    return client;
  }

  /** Some proxies write {@code 192.0.2.1:4711} or {@code [2001:db8::1]:4711}. */
  private static String withoutPort(String hop) {
    if (hop.startsWith("[")) {
      int end = hop.indexOf(']');
      return end < 0 ? hop : hop.substring(1, end);
    }
    int colon = hop.indexOf(':');
    return colon > 0 && colon == hop.lastIndexOf(':') ? hop.substring(0, colon) : hop;
  }
}
