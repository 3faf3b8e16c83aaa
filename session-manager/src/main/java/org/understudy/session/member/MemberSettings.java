package org.understudy.session.member;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Timing;
import org.understudy.replication.core.limit.ByteLimits;
import org.understudy.replication.core.limit.Limits;
import org.understudy.replication.runtime.handshake.PeerTls;
import org.understudy.session.record.SessionKeys;

/**
 * The settings of one member of a group that replicates sessions. Checked when it is opened.
 *
 * @param group the name of the group; replicas with another name refuse each other
 * @param strategy the name of an installed strategy
 * @param replica the number of this replica, one of {@code peers}
 * @param peers the addresses between replicas, as {@code 1=host:port,2=host:port}
 * @param secret at least 16 characters, the same at every replica
 * @param directory of the membership record and the journal, for this replica only
 * @param journal whether the replica keeps a journal, from which it continues after a restart
 * @param startsEmpty whether the replica, when it has lost the sessions, agrees to start the group without any
 * @param heartbeat between two heartbeats
 * @param suspicion silence after which a replica is suspected
 * @param duplicates how long a repeated request gets the stored answer
 * @param sessions sessions in the group
 * @param stateBytes bytes of all sessions
 * @param answerBytes bytes of one answer that is stored
 * @param clientPercent of the limits on what the group keeps that one client address may use, from 1 to 100
 * @param tls null for connections that are authenticated and not encrypted
 * @param plain whether such connections are accepted on addresses that are not loopback addresses
 */
public record MemberSettings(
    String group,
    String strategy,
    String replica,
    String peers,
    String secret,
    String directory,
    boolean journal,
    boolean startsEmpty,
    Duration heartbeat,
    Duration suspicion,
    Duration duplicates,
    long sessions,
    long stateBytes,
    long answerBytes,
    int clientPercent,
    PeerTls tls,
    boolean plain) {
  private static final int MIN_SECRET = 16;
  private static final int WHOLE = 100;
  private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");
  private static final Pattern EXPRESSION = Pattern.compile("\\$\\{([^}:]*)[^}]*}");

  /**
   * Rejects a value in which Tomcat has left an expression because the system property is missing. Otherwise the text of the
   * expression, which is no secret, would be the secret.
   *
   * @param value null for an attribute that is not set
   */
  public static void checkReplaced(String attribute, String value) throws SettingsException {
    Matcher expression = EXPRESSION.matcher(value == null ? "" : value);
    if (expression.find()) {
      throw new SettingsException("The attribute " + attribute + " of the Manager element has " + expression.group()
          + ", and the system property " + expression.group(1) + " is missing. Set it, for example in conf/catalina.properties.");
    }
  }

  /** Rejects a path that does not begin with a slash, or ends with one. Empty is accepted. */
  public static void checkPath(String attribute, String value) throws SettingsException {
    if (!value.isEmpty() && (!value.startsWith("/") || value.endsWith("/"))) {
      throw new SettingsException("The attribute " + attribute + " of the Manager element is \"" + value
          + "\"; it must be a path as /understudy/health, without a slash at its end, or empty.");
    }
  }

  /**
   * Whether an attribute has this value and not its default.
   *
   * @throws SettingsException when it has neither
   */
  public static boolean has(String attribute, String value, String wanted, String usual) throws SettingsException {
    if (!wanted.equals(value) && !usual.equals(value)) {
      throw new SettingsException("The attribute " + attribute + " of the Manager element is \"" + value + "\"; it must be " + usual
          + " or " + wanted + ".");
    }
    return wanted.equals(value);
  }

  /** Rejects a percentage that is not from 1 to 100. */
  public static void checkPercentage(String attribute, int value) throws SettingsException {
    if (value < 1 || value > WHOLE) {
      throw new SettingsException("The attribute " + attribute + " of the Manager element is " + value + "; it must be from 1 to 100.");
    }
  }

  /** Rejects a name that no header has. */
  public static void checkHeaders(String attribute, List<String> names) throws SettingsException {
    for (String name : names) {
      if (!HEADER.matcher(name).matches()) {
        throw new SettingsException(
            "The attribute " + attribute + " of the Manager element lists \"" + name + "\", which is not the name of a header.");
      }
    }
  }

  ReplicaId self() throws SettingsException {
    return id("replica", required("replica", replica));
  }

  private static ReplicaId id(String attribute, String text) throws SettingsException {
    try {
      return new ReplicaId(Integer.parseInt(text.strip()));
    } catch (IllegalArgumentException e) {
      throw new SettingsException(
          "The attribute " + attribute + " of the Manager element has the replica number \"" + text + "\"; it must be from 1 to 255.", e);
    }
  }

  private static String required(String attribute, String text) throws SettingsException {
    if (text == null || text.isBlank()) {
      throw new SettingsException("The attribute " + attribute + " of the Manager element is missing.");
    }
    return text;
  }

  /** The addresses between replicas, this one included. At least two. Resolves host names. */
  Map<ReplicaId, InetSocketAddress> addresses(ReplicaId self) throws SettingsException {
    Map<ReplicaId, InetSocketAddress> addresses = new TreeMap<>();
    for (String entry : required("peers", peers).split(",")) {
      int equals = entry.indexOf('=');
      int colon = entry.lastIndexOf(':');
      if (equals < 1 || colon < equals) {
        throw new SettingsException(
            "The attribute peers of the Manager element holds \"" + entry.strip() + "\"; entries look like 1=host:port,2=host:port.");
      }
      try {
        InetSocketAddress address =
            new InetSocketAddress(entry.substring(equals + 1, colon).strip(), Integer.parseInt(entry.substring(colon + 1).strip()));
        if (addresses.put(id("peers", entry.substring(0, equals)), address) != null) {
          throw new SettingsException("The attribute peers of the Manager element lists a replica twice: " + entry.strip() + ".");
        }
      } catch (IllegalArgumentException e) {
        throw new SettingsException(
            "The attribute peers of the Manager element holds \"" + entry.strip() + "\", whose port is invalid.", e);
      }
    }
    if (addresses.size() < 2) {
      throw new SettingsException(
          "The attribute peers of the Manager element lists one replica, which would be a group of its own. List all replicas.");
    }
    checkPlain(addresses);
    if (!addresses.containsKey(self)) {
      throw new SettingsException("The attribute peers of the Manager element lists " + addresses.keySet()
          + " but not this replica, which is " + self + ".");
    }
    return addresses;
  }

  private void checkPlain(Map<ReplicaId, InetSocketAddress> addresses) throws SettingsException {
    if (tls != null || plain) {
      return;
    }
    for (Map.Entry<ReplicaId, InetSocketAddress> entry : addresses.entrySet()) {
      InetSocketAddress address = entry.getValue();
      if (address.isUnresolved() || !address.getAddress().isLoopbackAddress()) {
        throw new SettingsException(
            "The attribute peers of the Manager element gives replica " + entry.getKey() + " the address " + address.getHostString()
                + ":" + address.getPort() + ", which is not loopback. Set peerKeyStore and peerTrustStore, or peersPlain=\"accepted\".");
      }
    }
  }

  byte[] secretBytes() throws SettingsException {
    if (required("secret", secret).length() < MIN_SECRET) {
      throw new SettingsException("The attribute secret of the Manager element is shorter than " + MIN_SECRET + " characters.");
    }
    return secret.getBytes(StandardCharsets.UTF_8);
  }

  Path path() throws SettingsException {
    return Path.of(required("directory", directory));
  }

  Timing timing() throws SettingsException {
    try {
      return Timing.of(heartbeat, suspicion);
    } catch (IllegalArgumentException e) {
      throw new SettingsException("The attributes heartbeatMs and suspectMs of the Manager element do not fit: " + e.getMessage(), e);
    }
  }

  Limits limits() {
    Limits defaults = Limits.DEFAULTS;
    ByteLimits bytes = ByteLimits.DEFAULTS;
    return new Limits(
        defaults.unstableUpdates(),
        defaults.logBytes(),
        defaults.chunkBytes(),
        defaults.sessions(),
        defaults.openPerSession(),
        defaults.identities(),
        duplicates.toNanos(),
        defaults.sessionLeaseNanos(),
        defaults.heldRequests(),
        new ByteLimits(
            stateBytes, bytes.resource(), bytes.replies(), bytes.sessionReplies(), Math.max(bytes.reply(), 2 * answerBytes),
            bytes.update(), bytes.unstable()),
        clientPercent,
        SessionKeys.kinds(sessions));
  }
}
