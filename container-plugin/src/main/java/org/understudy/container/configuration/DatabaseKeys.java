package org.understudy.container.configuration;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** The keys of the service's database, which the module of databases reads through the service's home. */
final class DatabaseKeys {
  private static final Set<Key> READ = EnumSet.of(
      Key.DATABASE_URL, Key.DATABASE_USER, Key.DATABASE_PASSWORD, Key.DATABASE_PASSWORD_FILE, Key.DATABASE_POOL, Key.DATABASE_TLS,
      Key.DATABASE_LOCK_MS, Key.DATABASE_TIMEOUT_MS, Key.GROUP, Key.REPLICAS, Key.TRUST_STORE, Key.TRUST_STORE_PASSWORD,
      Key.CHECK);

  private DatabaseKeys() {}

  /** Returns the value of one of these keys; null for another one, or when it is not set. */
  static String value(Map<Key, String> values, String property) {
    return READ.stream().filter(key -> key.property().equals(property)).findFirst().map(values::get).orElse(null);
  }

  /** @throws ConfigurationException when the group cannot use the database, or a key needs another one */
  static void check(Map<Key, String> values, int replicas) throws ConfigurationException {
    String url = values.get(Key.DATABASE_URL);
    if (url == null || url.isEmpty()) {
      return;
    }
    boolean isServer = url.startsWith("jdbc:mysql:") || url.startsWith("jdbc:h2:tcp:") || url.startsWith("jdbc:h2:ssl:");
    if (!isServer && !url.startsWith("jdbc:h2:")) {
      throw new ConfigurationException(
          Key.DATABASE_URL.property() + " does not begin with jdbc:mysql: (MySQL, MariaDB) or jdbc:h2:; no other is supported.");
    }
    if (!isServer && replicas > 1) {
      throw new ConfigurationException(
          Key.DATABASE_URL.property() + " names an embedded H2, which one process alone can open, and the group has " + replicas
              + " replicas. Start an H2 server and write jdbc:h2:tcp://host:port/path.");
    }
    long lock = Long.parseLong(values.get(Key.DATABASE_LOCK_MS));
    long timeout = Long.parseLong(values.get(Key.DATABASE_TIMEOUT_MS));
    if (timeout < 2 * lock) {
      throw new ConfigurationException(
          Key.DATABASE_TIMEOUT_MS.property() + " is " + timeout + "; it must be at least twice " + Key.DATABASE_LOCK_MS.property() + ", "
              + lock + ".");
    }
    if (values.get(Key.DATABASE_PASSWORD) != null && values.get(Key.DATABASE_PASSWORD_FILE) != null) {
      throw new ConfigurationException(
          Key.DATABASE_PASSWORD.property() + " and " + Key.DATABASE_PASSWORD_FILE.property() + " are both set. Remove one.");
    }
  }
}
