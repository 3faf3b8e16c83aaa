package org.understudy.notification.delivery;

import java.net.URI;
import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The hosts that may be consumers. Without this list a subscriber could make this server send requests to any host that it
 * can reach. Checks the host as written in the address, without name lookup, so list only names whose resolution you trust.
 * Immutable.
 */
public final class AllowedSinks implements Predicate<URI> {
  private static final Pattern LOOPBACK = Pattern.compile("localhost|127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}|\\[::1]");

  private final Set<String> hosts;

  private AllowedSinks(Set<String> hosts) {
    this.hosts = hosts;
  }

  /** This machine only: {@code localhost}, 127.0.0.0/8 and ::1. */
  public static AllowedSinks loopback() {
    return new AllowedSinks(Set.of());
  }

  /**
   * This machine and the hosts listed.
   *
   * @param hosts names or addresses as consumers write them, IPv6 in brackets; case does not matter
   */
  public static AllowedSinks loopbackAnd(Collection<String> hosts) {
    return new AllowedSinks(
        hosts.stream().map(host -> host.toLowerCase(Locale.ROOT)).collect(Collectors.toUnmodifiableSet()));
  }

  /**
   * The hosts listed, and this machine only if one of its names is listed.
   *
   * @param hosts names or addresses as consumers write them, IPv6 in brackets; case does not matter
   */
  public static Predicate<URI> only(Collection<String> hosts) {
    AllowedSinks allowed = loopbackAnd(hosts);
    boolean loopback = allowed.hosts.stream().anyMatch(host -> LOOPBACK.matcher(host).matches());
    return loopback ? allowed : address -> !loopback().test(address) && allowed.test(address);
  }

  /** Whether messages may be sent to this address. */
  @Override
  public boolean test(URI address) {
    String host = address.getHost() == null ? "" : address.getHost().toLowerCase(Locale.ROOT);
    return LOOPBACK.matcher(host).matches() || hosts.contains(host);
  }
}
