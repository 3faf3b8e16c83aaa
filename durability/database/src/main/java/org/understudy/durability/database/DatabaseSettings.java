package org.understudy.durability.database;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which database a group uses, and how. The keys are those of {@code docs/configuration.md} that begin with {@code understudy.database}.
 * Immutable.
 *
 * @param group name of the group; its rows are apart from those of other groups in the same database. At most 128 characters
 * @param url of JDBC
 * @param password null for none
 * @param pool maximum number of connections, 2 to 64
 * @param tls how connections to a server are protected
 * @param trustStore path of a key store with the server's certificate or its issuer; null for the JVM's
 * @param trustStorePassword null for none
 * @param lockMs how long a statement waits for another transaction's lock, in milliseconds; MySQL and MariaDB round up to seconds
 * @param timeoutMs how long connecting, one statement, or fencing may take, in milliseconds; at least twice {@code lockMs}
 */
record DatabaseSettings(
    String group, String url, String user, String password, int pool, Tls tls, String trustStore, String trustStorePassword, int lockMs,
    int timeoutMs) {
  static final int MAX_POOL = 64;
  /** Creating tables takes two: one holds the lock. */
  private static final int MIN_POOL = 2;
  private static final int MAX_GROUP = 128;
  /** Host in URLs of servers: jdbc:mysql://host:port/name, jdbc:h2:tcp://host:port/path, jdbc:h2:ssl://host:port/path. */
  private static final Pattern HOST = Pattern.compile("^jdbc:(?:mysql:|h2:(?:tcp|ssl):)//(\\[[^\\]]+\\]|[^:/?;,]+)");

  /** How a connection to the server is protected. */
  enum Tls {
    /** Plain. */
    DISABLED,
    /** TLS if the server offers it; the certificate is not checked. */
    PREFERRED,
    /** TLS; the certificate is not checked. */
    REQUIRED,
    /** TLS, with a trusted certificate that names the host. */
    VERIFIED
  }

  DatabaseSettings {
    if (group.isEmpty() || group.length() > MAX_GROUP) {
      throw new IllegalArgumentException("understudy.group has " + group.length() + " characters; a database permits 1 to 128.");
    }
    if (url.startsWith("jdbc:mariadb:")) {
      throw new IllegalArgumentException(
          "understudy.database.url begins with jdbc:mariadb:. MariaDB is used by Connector/J: write jdbc:mysql:.");
    }
    if (!url.startsWith("jdbc:mysql:") && !url.startsWith("jdbc:h2:")) {
      throw new IllegalArgumentException(
          "understudy.database.url names an unknown database: the URL must begin with jdbc:mysql: (MySQL, MariaDB) or jdbc:h2:.");
    }
    if (pool < MIN_POOL || pool > MAX_POOL) {
      throw new IllegalArgumentException(
          "understudy.database.pool is " + pool + "; it must be a whole number from " + MIN_POOL + " to " + MAX_POOL + ".");
    }
    if (timeoutMs < 2 * lockMs) {
      throw new IllegalArgumentException(
          "understudy.database.timeout.ms is " + timeoutMs + "; it must be at least twice understudy.database.lock.ms, " + lockMs + ".");
    }
    if (isH2Server(url) && tls.compareTo(Tls.PREFERRED) > 0 && !url.startsWith("jdbc:h2:ssl:")) {
      throw new IllegalArgumentException(
          "understudy.database.tls is " + tls.name().toLowerCase(Locale.ROOT) + ", but understudy.database.url names a plain connection to "
              + "H2. Write jdbc:h2:ssl:, or set understudy.database.tls=disabled.");
    }
  }

  /**
   * Reads the settings.
   *
   * @param key returns the value of a key, or null
   * @throws IllegalArgumentException with one line: the key, its fault, and what to do
   */
  static DatabaseSettings of(UnaryOperator<String> key) {
    String url = key.apply("understudy.database.url");
    if (url == null || url.isBlank()) {
      throw new IllegalArgumentException(
          "The service has objects in a database, and understudy.database.url is not set. Set it to the JDBC URL of the group's database.");
    }
    url = url.strip();
    if (isEmbedded(url) && replicas(key.apply("understudy.replicas")) > 1) {
      throw new IllegalArgumentException(
          "understudy.database.url names an embedded H2, which one process alone can open, and the group has several replicas. Start an "
              + "H2 server and write jdbc:h2:tcp://host:port/path.");
    }
    return new DatabaseSettings(
        text(key, "understudy.group", "understudy"), url, text(key, "understudy.database.user", ""), password(key),
        number(key, "understudy.database.pool", 16), tls(key, url), key.apply("understudy.trust.store"),
        key.apply("understudy.trust.store.password"), number(key, "understudy.database.lock.ms", 2000),
        number(key, "understudy.database.timeout.ms", 10_000));
  }

  /** These settings for connections that wait for an answer no longer than that, and for a lock half as long. */
  DatabaseSettings withinMs(int ms) {
    return new DatabaseSettings(group, url, user, password, pool, tls, trustStore, trustStorePassword, ms / 2, ms);
  }

  /** Whether the URL names an H2 that runs in the process of its user. */
  static boolean isEmbedded(String url) {
    return url.startsWith("jdbc:h2:") && !isH2Server(url);
  }

  boolean isH2() {
    return url.startsWith("jdbc:h2:");
  }

  /** For messages: the URL without parameters, which may hold secrets. */
  String place() {
    int end = url.length();
    for (char separator : new char[] {'?', ';'}) {
      int at = url.indexOf(separator);
      end = at >= 0 ? Math.min(end, at) : end;
    }
    return url.substring(0, end).replaceFirst("//[^/@]*@", "//");
  }

  @Override
  public String toString() {
    return place();
  }

  private static boolean isH2Server(String url) {
    return url.startsWith("jdbc:h2:tcp:") || url.startsWith("jdbc:h2:ssl:");
  }

  private static int replicas(String list) {
    return list == null || list.isBlank() ? 1 : list.split(",", -1).length;
  }

  private static String text(UnaryOperator<String> key, String name, String otherwise) {
    String value = key.apply(name);
    return value == null ? otherwise : value;
  }

  private static int number(UnaryOperator<String> key, String name, int otherwise) {
    String value = key.apply(name);
    try {
      return value == null ? otherwise : Integer.parseInt(value.strip());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + " is " + value + "; it must be a whole number.", e);
    }
  }

  private static String password(UnaryOperator<String> key) {
    String file = key.apply("understudy.database.password.file");
    if (file == null) {
      return key.apply("understudy.database.password");
    }
    if (key.apply("understudy.database.password") != null) {
      throw new IllegalArgumentException("understudy.database.password and understudy.database.password.file are both set. Remove one.");
    }
    try {
      return Files.readString(Path.of(file), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new IllegalArgumentException("understudy.database.password.file, " + file + ", cannot be read: " + e + ".", e);
    }
  }

  private static Tls tls(UnaryOperator<String> key, String url) {
    String value = text(key, "understudy.database.tls", "auto");
    if (!value.equals("auto")) {
      try {
        return Tls.valueOf(value.toUpperCase(Locale.ROOT));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "understudy.database.tls is " + value + "; it must be one of auto, disabled, preferred, required, verified.", e);
      }
    }
    Matcher host = HOST.matcher(url);
    return isEmbedded(url) || host.find() && isLoopback(host.group(1)) ? Tls.PREFERRED : Tls.VERIFIED;
  }

  private static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
