package org.understudy.container.configuration;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.understudy.replication.api.ReplicaId;

/**
 * The URLs at which clients reach the web applications of the replicas. Behind network address translation or a proxy they differ
 * from those by which replicas reach each other (Bartoli et al. 2005, 3.1.1). Immutable.
 */
final class ClientAddresses {
  private static final Pattern LISTED = Pattern.compile("\\s*\\d+\\s*=.*", Pattern.DOTALL);

  private final Map<ReplicaId, URI> urls;
  private final boolean configured;
  private final boolean shared;

  private ClientAddresses(Map<ReplicaId, URI> urls, boolean configured, boolean shared) {
    this.urls = urls;
    this.configured = configured;
    this.shared = shared;
  }

  /**
   * Reads the value of {@link Key#CLIENT_URLS}.
   *
   * @param value null if it is not set
   * @param replicas the URLs by which replicas reach each other
   */
  static ClientAddresses of(String value, Map<ReplicaId, URI> replicas) throws ConfigurationException {
    if (value == null || value.isBlank()) {
      return new ClientAddresses(replicas, false, false);
    }
    Map<ReplicaId, URI> urls = new TreeMap<>();
    if (!LISTED.matcher(value).matches()) {
      URI one = url("all replicas", value.strip());
      replicas.keySet().forEach(replica -> urls.put(replica, one));
      return new ClientAddresses(urls, true, replicas.size() > 1);
    }
    for (String entry : value.split(",")) {
      int equals = entry.indexOf('=');
      ReplicaId replica;
      try {
        replica = new ReplicaId(Integer.parseInt(entry.substring(0, Math.max(0, equals)).strip()));
      } catch (IllegalArgumentException e) {
        throw new ConfigurationException(
            Key.CLIENT_URLS.property() + " holds \"" + entry.strip() + "\"; the values are " + Key.CLIENT_URLS.range() + ".");
      }
      if (urls.put(replica, url("replica " + replica, entry.substring(equals + 1).strip())) != null) {
        throw new ConfigurationException(Key.CLIENT_URLS.property() + " lists replica " + replica + " twice.");
      }
    }
    if (!urls.keySet().equals(replicas.keySet())) {
      throw new ConfigurationException(
          Key.CLIENT_URLS.property() + " lists " + urls.keySet() + " but " + Key.REPLICAS.property() + " lists "
              + replicas.keySet() + ".");
    }
    Set<URI> different = new TreeSet<>(urls.values());
    if (different.size() > 1 && different.size() < urls.size()) {
      throw new ConfigurationException(
          Key.CLIENT_URLS.property() + " gives some replicas the same URL and others different ones. Give each its own, or one URL to "
              + "all.");
    }
    return new ClientAddresses(urls, true, urls.size() > 1 && different.size() == 1);
  }

  /** Reads the URL of a web application. */
  static URI url(Key key, String whose, String value) throws ConfigurationException {
    URI url;
    try {
      url = URI.create(value);
    } catch (IllegalArgumentException e) {
      url = URI.create("");
    }
    if (url.getHost() == null || !List.of("http", "https").contains(url.getScheme())) {
      throw new ConfigurationException(
          key.property() + " gives " + whose + " the address " + value + ", which is not a URL like http://host:port/context.");
    }
    return url;
  }

  private static URI url(String whose, String value) throws ConfigurationException {
    return url(Key.CLIENT_URLS, whose, value);
  }

  URI url(ReplicaId replica) {
    return urls.get(replica);
  }

  /** The URL of each replica, in their order, in the form of {@link Key#CLIENT_URLS}. */
  String listed() {
    return new TreeMap<>(urls).entrySet().stream().map(Object::toString).collect(Collectors.joining(","));
  }

  /** Whether the URLs are those of {@link Key#CLIENT_URLS}. */
  boolean isConfigured() {
    return configured;
  }

  /** Whether all replicas have one URL, as behind a load balancer, so that a client cannot choose one of them. */
  boolean isShared() {
    return shared;
  }
}
