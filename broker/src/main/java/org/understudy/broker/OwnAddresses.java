package org.understudy.broker;

import java.net.URI;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The addresses of the broker itself, at all replicas, including paths below them. Names are not resolved: localhost,
 * 127.0.0.1 and [::1] are equal, another name of the same host is not; and brokers that are configured with the same URL
 * are equal, wherever they run. Immutable.
 */
final class OwnAddresses implements Predicate<URI> {
  private static final Pattern LOOPBACK = Pattern.compile("localhost|127\\.0\\.0\\.1|\\[::1]");

  private final List<String> own;

  /** @param brokers the URL of the broker at each replica of the group */
  OwnAddresses(Collection<URI> brokers) {
    this.own = brokers.stream().map(OwnAddresses::normal).toList();
  }

  @Override
  public boolean test(URI address) {
    if (address.getHost() == null || address.getScheme() == null) {
      return false;
    }
    String normal = normal(address);
    return own.stream().anyMatch(one -> normal.equals(one) || normal.startsWith(one + "/"));
  }

  /** Escaped letters, dot segments, doubled slashes and path parameters do not make a different address. */
  private static String normal(URI address) {
    String host = address.getHost().toLowerCase(Locale.ROOT);
    int port = address.getPort() >= 0 ? address.getPort() : address.getScheme().equalsIgnoreCase("https") ? 443 : 80;
    String path = address.getRawPath() == null ? "" : address.getRawPath().replaceAll(";[^/]*", "");
    path = URI.create("/" + path.replaceAll("/+", "/").replaceFirst("^/", "")).normalize().getPath();
    return (LOOPBACK.matcher(host).matches() ? "localhost" : host) + ":" + port + path.replaceFirst("/$", "");
  }
}
