package org.understudy.container.configuration;

import java.net.InetSocketAddress;
import java.net.URI;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import org.understudy.notification.delivery.AllowedSinks;

/**
 * The addresses at which the replicas of the web application's groups listen: every port of the configuration, at every loopback address
 * and every host of the configuration. Names are not resolved. Immutable.
 */
public final class OwnServers {
  private static final AllowedSinks LOOPBACK = AllowedSinks.loopback();

  private final Set<String> hosts = new HashSet<>();
  private final Set<Integer> web = new HashSet<>();
  private final Set<Integer> internal = new HashSet<>();

  private OwnServers() {}

  /** @param configuration of any group of the web application */
  public static OwnServers of(Configuration configuration) {
    OwnServers servers = new OwnServers();
    configuration.siblings().forEach(servers::add);
    return servers;
  }

  private void add(Configuration configuration) {
    for (URI url : configuration.allUrls()) {
      hosts.add(host(url));
      web.add(port(url));
    }
    configuration.peers().values().forEach(this::addInternal);
    configuration.channelAddresses().values().forEach(this::addInternal);
    if (configuration.channel().equals("spread")) {
      addInternal(configuration.daemon());
    }
    if (configuration.healthAddress() != null) {
      internal.add(configuration.healthAddress().getPort());
    }
  }

  private void addInternal(InetSocketAddress address) {
    hosts.add(address.getHostString().toLowerCase(Locale.ROOT));
    internal.add(address.getPort());
  }

  /** Whether the address may be that of a web application of the group. */
  public boolean isWeb(URI address) {
    return isOwnHost(address) && web.contains(port(address));
  }

  /** Returns a filter that also rejects the ports of peers, group channels and health, at which no consumer listens. */
  public Predicate<URI> without(Predicate<URI> allowed) {
    return address -> allowed.test(address) && !(isOwnHost(address) && internal.contains(port(address)));
  }

  private boolean isOwnHost(URI address) {
    return LOOPBACK.test(address) || hosts.contains(host(address));
  }

  private static String host(URI address) {
    return address.getHost() == null ? "" : address.getHost().toLowerCase(Locale.ROOT);
  }

  private static int port(URI address) {
    return address.getPort() >= 0 ? address.getPort() : "https".equalsIgnoreCase(address.getScheme()) ? 443 : 80;
  }
}
