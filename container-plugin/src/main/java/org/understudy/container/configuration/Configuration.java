package org.understudy.container.configuration;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.understudy.notification.connection.TrustAnchors;
import org.understudy.replication.api.LoadIndex;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Capability;
import org.understudy.replication.core.MessageKind;
import org.understudy.replication.core.ReadConfirmation;
import org.understudy.replication.core.ReplicationStrategy;
import org.understudy.replication.core.Timing;
import org.understudy.replication.core.limit.ByteLimits;
import org.understudy.replication.core.limit.KeyKinds;
import org.understudy.replication.core.limit.Limits;
import org.understudy.replication.core.record.RecordKind;
import org.understudy.replication.runtime.channel.GroupChannelSettings;
import org.understudy.replication.runtime.handshake.Credentials;
import org.understudy.replication.runtime.handshake.GroupDescription;
import org.understudy.replication.runtime.handshake.PeerTls;
import org.understudy.replication.runtime.handshake.ServedService;
import org.understudy.replication.runtime.peer.FrameSizes;
import org.understudy.replication.runtime.strategy.Installed;
import org.understudy.replication.runtime.strategy.UnavailableException;

/**
 * The settings of one replica, checked when created, as {@link ApplicationConfiguration} reads them. Immutable.
 *
 * <p>More than 400 lines because each key has its accessor here, and keys are checked against each other.
 */
public final class Configuration {
  /** Bytes that Tomcat holds for a request in progress beside its body: measured, mostly buffers. */
  public static final int HELD_REQUEST_BYTES = 100_000;

  private static final String AUTO = "auto";
  /** An address and a port, or those of this machine. */
  private static final Pattern OF_ONE_MACHINE = Pattern.compile("([0-9.]+|\\[.*]|localhost):.*");
  private static final int HEAP_SHARES = 4;

  private final String localGroup;
  private final List<Configuration> siblings;
  private final Map<Key, String> values = new EnumMap<>(Key.class);
  private final Map<ReplicaId, URI> replicas;
  private final ClientAddresses clientAddresses;
  private final LoadIndex loadIndex;
  private final ReplicationStrategy strategy;
  private final Map<ReplicaId, InetSocketAddress> peers;
  /** Where a group channel listens; empty when that is not configured. */
  private final Map<ReplicaId, InetSocketAddress> channelAddresses;
  private final InetSocketAddress daemon;
  /** Null for plain connections. */
  private final PeerTls peerTls;
  private final ReplicaId self;
  private final Timing timing;
  private final Limits limits;
  private final TrustedProxies proxies;
  private final TrustAnchors trust;
  private final InetSocketAddress healthAddress;
  /** Null when the web application takes no part in WS-AtomicTransaction. */
  private final WsatSettings wsat;
  private final TransactionPeers transactionPeers;

  /**
   * @param localGroup empty for the only group of the web application
   * @param siblings the configurations of all groups of the web application, complete before it is used
   */
  Configuration(Settings settings, String localGroup, List<Configuration> siblings) throws ConfigurationException {
    this.localGroup = localGroup;
    this.siblings = siblings;
    for (Key key : Key.values()) {
      String value = localGroup.isEmpty() ? settings.value(key) : ofGroup(settings, key);
      if (value != null) {
        values.put(key, value);
      }
    }
    for (Map.Entry<Key, String> entry : values.entrySet()) {
      String fault = entry.getKey().range().fault(entry.getValue());
      if (fault != null) {
        throw new ConfigurationException(
            entry.getKey().property() + " is " + entry.getValue() + "; it " + fault + ".");
      }
    }
    require(Key.REPLICA);
    self = new ReplicaId((int) number(Key.REPLICA));
    replicas = replicaUrls();
    if (!replicas.containsKey(self)) {
      throw new ConfigurationException(
          Key.REPLICAS.property() + " lists " + replicas.keySet() + " but not this replica, which is " + self + ".");
    }
    clientAddresses = ClientAddresses.of(values.get(Key.CLIENT_URLS), replicas);
    loadIndex = InstalledLoadIndex.named(values.get(Key.LOAD_INDEX), Configuration.class.getClassLoader());
    if (loadIndex == null && loadThreshold() != Integer.MAX_VALUE && loadLimit() < loadThreshold()) {
      throw new ConfigurationException(
          Key.LOAD_LIMIT.property() + " is " + loadLimit() + ", below " + Key.LOAD_THRESHOLD.property() + " of " + loadThreshold()
              + ", so that no request would be passed on before it is rejected.");
    }
    DatabaseKeys.check(values, replicas.size());
    wsat = WsatSettings.of(values);
    transactionPeers = TransactionPeers.of(values, group());
    strategy = installedStrategy();
    boolean hasPeers = strategy.requires().contains(Capability.PEER_CHANNEL);
    peers = hasPeers ? addresses(Key.PEERS) : Map.of();
    boolean listens = hasPeers && values.get(Key.CHANNEL_JGROUPS_ADDRESSES) != null;
    channelAddresses = listens ? addresses(Key.CHANNEL_JGROUPS_ADDRESSES) : Map.of();
    for (InetSocketAddress address : channelAddresses.values()) {
      if (peers.containsValue(address)) {
        throw new ConfigurationException(
            Key.CHANNEL_JGROUPS_ADDRESSES.property() + " and " + Key.PEERS.property() + " both give a replica the address "
                + address.getHostString() + ":" + address.getPort() + ". Choose other ports for one of them.");
      }
    }
    daemon = daemonAddress();
    peerTls = hasPeers ? tlsBetweenPeers() : null;
    if (keepsRecords()) {
      absolute(Key.DIRECTORY, require(Key.DIRECTORY));
    }
    if (keepsJournal() && strategy.records().stream().noneMatch(RecordKind::isAppended)) {
      throw new ConfigurationException(
          Key.JOURNAL.property() + " is disk, but the strategy " + strategy.name() + " keeps no journal. Set it to none, or "
              + Key.STRATEGY.property() + " to primary-backup or group.");
    }
    if (startsEmpty() && !strategy.canStartEmpty()) {
      throw new ConfigurationException(
          Key.RESTART.property() + " is empty, but the strategy " + strategy.name() + " cannot start without its state. Set it to wait,"
              + " or " + Key.STRATEGY.property() + " to primary-backup or group.");
    }
    if (replicated() && require(Key.SECRET).length() < 16) {
      throw new ConfigurationException(Key.SECRET.property() + " is shorter than 16 characters.");
    }
    if (replicated() && replicas.size() == 1) {
      throw new ConfigurationException(
          Key.REPLICAS.property() + " lists replica " + self + " alone, which would be a group of its own: list every "
              + "replica of the group, or set " + Key.STRATEGY.property() + " to none.");
    }
    long heartbeat = number(Key.HEARTBEAT_MS);
    long suspect = number(Key.SUSPECT_MS);
    if (suspect < 2 * heartbeat) {
      throw new ConfigurationException(
          Key.SUSPECT_MS.property() + " is " + suspect + ", less than two heartbeats of " + heartbeat + " ms.");
    }
    timing = Timing.of(Duration.ofMillis(heartbeat), Duration.ofMillis(suspect));
    Limits defaults = Limits.DEFAULTS;
    limits =
        new Limits(
            defaults.unstableUpdates(),
            defaults.logBytes(),
            defaults.chunkBytes(),
            (int) number(Key.SESSIONS),
            (int) number(Key.SESSION_OPEN),
            (int) number(Key.MESSAGE_IDS),
            number(Key.MESSAGE_IDS_S) * 1_000_000_000L,
            number(Key.SESSION_LEASE_S) * 1_000_000_000L,
            defaults.heldRequests(),
            byteLimits(),
            (int) number(Key.CALLER_SHARE),
            KeyKinds.NONE);
    try {
      this.proxies = TrustedProxies.parse(values.get(Key.TRUSTED_PROXIES));
    } catch (IllegalArgumentException e) {
      throw new ConfigurationException(Key.TRUSTED_PROXIES.property() + ": " + e.getMessage());
    }
    healthAddress = address(Key.HEALTH_ADDRESS);
    trust = trustStore();
  }

  /** Returns the value of a key in one of several groups: its own, else the common one. */
  private String ofGroup(Settings settings, Key key) {
    String own = settings.own(localGroup, key);
    if (own != null) {
      return own;
    }
    String common = settings.value(key);
    return switch (key) {
      case GROUP -> common + "/" + localGroup;
      case DIRECTORY -> common == null || common.isEmpty() ? common : Path.of(common, localGroup).toString();
      // An endpoint belongs to one group.
      case ENDPOINTS -> null;
      default -> common;
    };
  }

  /** Reads only properties, neither system properties nor environment variables; for tests and embedding. */
  public static Configuration of(Properties properties) throws ConfigurationException {
    return ApplicationConfiguration.of(properties).only();
  }

  private ReplicationStrategy installedStrategy() throws ConfigurationException {
    try {
      return Installed.in(Configuration.class.getClassLoader()).strategy(values.get(Key.STRATEGY));
    } catch (UnavailableException e) {
      throw new ConfigurationException(e.getMessage());
    }
  }

  private ByteLimits byteLimits() {
    return new ByteLimits(
        number(Key.STATE_BYTES),
        number(Key.RESOURCE_BYTES),
        number(Key.REPLIES_BYTES),
        number(Key.SESSION_REPLIES_BYTES),
        number(Key.REPLY_BYTES),
        FrameSizes.DEFAULTS.updateBytes(),
        number(Key.UNSTABLE_BYTES));
  }

  private String require(Key key) throws ConfigurationException {
    String value = values.get(key);
    if (value == null || value.isEmpty()) {
      throw new ConfigurationException("The key " + key.property() + " is missing (" + key.range() + ").");
    }
    return value;
  }

  /** Returns a path that does not depend on where the server was started. */
  static Path absolute(Key key, String value) throws ConfigurationException {
    try {
      Path path = Path.of(value);
      if (path.isAbsolute()) {
        return path;
      }
    } catch (InvalidPathException e) {
      throw new ConfigurationException(key.property() + " is " + value + ", which is not a path: " + e.getReason() + ".");
    }
    throw new ConfigurationException(
        key.property() + " is " + value + ", a relative path, whose place depends on where the server is started. Give the whole path.");
  }

  /** Returns a number whose range the constructor has checked. */
  private long number(Key key) {
    return Long.parseLong(values.get(key));
  }

  private TrustAnchors trustStore() throws ConfigurationException {
    String store = values.get(Key.TRUST_STORE);
    if (store == null) {
      return TrustAnchors.ofJvm();
    }
    String password = values.get(Key.TRUST_STORE_PASSWORD);
    try {
      return TrustAnchors.of(Path.of(store), password == null ? null : password.toCharArray());
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      throw new ConfigurationException(
          Key.TRUST_STORE.property() + " is " + store + ", which cannot be used as a key store: " + e + ".");
    }
  }

  private Map<ReplicaId, String> list(Key key) throws ConfigurationException {
    Map<ReplicaId, String> entries = new TreeMap<>();
    Set<String> seen = new TreeSet<>();
    for (String entry : require(key).split(",")) {
      int equals = entry.indexOf('=');
      String form = key.property() + " holds \"" + entry.strip() + "\"; entries look like " + key.range() + ".";
      if (equals < 1) {
        throw new ConfigurationException(form);
      }
      ReplicaId id;
      try {
        id = new ReplicaId(Integer.parseInt(entry.substring(0, equals).strip()));
      } catch (IllegalArgumentException e) {
        throw new ConfigurationException(form);
      }
      String address = entry.substring(equals + 1).strip();
      if (entries.put(id, address) != null) {
        throw new ConfigurationException(key.property() + " lists replica " + id + " twice.");
      }
      if (!seen.add(address) && !mayBeShared(key, address)) {
        throw new ConfigurationException(key.property() + " gives two replicas the address " + address + ".");
      }
    }
    return entries;
  }

  /** A name of DNS can have the addresses of several replicas. Peers are told apart by theirs, members of JGroups are not. */
  private static boolean mayBeShared(Key key, String address) {
    return key == Key.CHANNEL_JGROUPS_ADDRESSES && !OF_ONE_MACHINE.matcher(address).matches();
  }

  private Map<ReplicaId, URI> replicaUrls() throws ConfigurationException {
    Map<ReplicaId, URI> urls = new TreeMap<>();
    for (Map.Entry<ReplicaId, String> entry : list(Key.REPLICAS).entrySet()) {
      urls.put(entry.getKey(), ClientAddresses.url(Key.REPLICAS, "replica " + entry.getKey(), entry.getValue()));
    }
    return urls;
  }

  private InetSocketAddress daemonAddress() throws ConfigurationException {
    String value = values.get(Key.CHANNEL_SPREAD_DAEMON);
    int at = value.indexOf('@');
    try {
      return InetSocketAddress.createUnresolved(value.substring(at + 1), Integer.parseInt(value.substring(0, at)));
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new ConfigurationException(
          Key.CHANNEL_SPREAD_DAEMON.property() + " is " + value + ", which is not like port@host.");
    }
  }

  private Map<ReplicaId, InetSocketAddress> addresses(Key key) throws ConfigurationException {
    Map<ReplicaId, InetSocketAddress> addresses = new TreeMap<>();
    for (Map.Entry<ReplicaId, String> entry : list(key).entrySet()) {
      int colon = entry.getValue().lastIndexOf(':');
      try {
        int port = Integer.parseInt(entry.getValue().substring(colon + 1));
        addresses.put(entry.getKey(), new InetSocketAddress(entry.getValue().substring(0, colon), port));
      } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
        throw new ConfigurationException(
            key.property() + " gives replica " + entry.getKey() + " the address " + entry.getValue()
                + ", which is not like host:port.");
      }
    }
    if (!addresses.keySet().equals(replicas.keySet())) {
      throw new ConfigurationException(
          key.property() + " lists " + addresses.keySet() + " but " + Key.REPLICAS.property() + " lists "
              + replicas.keySet() + ".");
    }
    return addresses;
  }

  private PeerTls tlsBetweenPeers() throws ConfigurationException {
    String keys = values.get(Key.PEER_KEY_STORE);
    String trust = values.get(Key.PEER_TRUST_STORE);
    if (keys == null && trust == null) {
      checkPlain();
      return null;
    }
    require(Key.PEER_KEY_STORE);
    require(Key.PEER_TRUST_STORE);
    try {
      return PeerTls.of(
          Path.of(keys), password(Key.PEER_KEY_STORE_PASSWORD), Path.of(trust), password(Key.PEER_TRUST_STORE_PASSWORD));
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      throw new ConfigurationException(
          Key.PEER_KEY_STORE.property() + " is " + keys + " and " + Key.PEER_TRUST_STORE.property() + " is " + trust
              + ", which cannot be used with their passwords: " + e + ".");
    }
  }

  private char[] password(Key key) {
    String password = values.get(key);
    return password == null ? null : password.toCharArray();
  }

  private void checkPlain() throws ConfigurationException {
    if (values.get(Key.PEERS_PLAIN).equals("accepted")) {
      return;
    }
    for (Map.Entry<ReplicaId, InetSocketAddress> entry : peers.entrySet()) {
      InetSocketAddress address = entry.getValue();
      if (address.isUnresolved() || !address.getAddress().isLoopbackAddress()) {
        throw new ConfigurationException(
            Key.PEERS.property() + " gives replica " + entry.getKey() + " the address " + address.getHostString() + ":"
                + address.getPort() + ", which is not loopback: set " + Key.PEER_KEY_STORE.property() + " and "
                + Key.PEER_TRUST_STORE.property() + ", or " + Key.PEERS_PLAIN.property() + "=accepted.");
      }
    }
  }

  public ReplicaId self() {
    return self;
  }

  /** The name of this group within the web application, as in {@code understudy.groups}; empty when that is not set. */
  public String localGroup() {
    return localGroup;
  }

  /** The configurations of all groups of the web application, with this one. */
  public List<Configuration> siblings() {
    return siblings;
  }

  /** The name by which replicas of the group recognise each other. */
  public String group() {
    return values.get(Key.GROUP);
  }

  /** The replication strategy that {@code understudy.strategy} names. */
  public ReplicationStrategy strategy() {
    return strategy;
  }

  /** Whether the strategy communicates with other replicas. */
  public boolean replicated() {
    return strategy.requires().contains(Capability.PEER_CHANNEL)
        || strategy.requires().contains(Capability.GROUP_CHANNEL);
  }

  /** The capabilities that this configuration offers to a strategy. */
  public Set<Capability> capabilities() {
    Set<Capability> offered = EnumSet.noneOf(Capability.class);
    if (!peers.isEmpty()) {
      offered.add(Capability.PEER_CHANNEL);
    }
    if (values.get(Key.DIRECTORY) != null) {
      offered.add(Capability.STABLE_STORAGE);
    }
    return offered;
  }

  public String transfer() {
    return values.get(Key.TRANSFER);
  }

  /** URL of each replica's web application for the other replicas, without a slash at the end. */
  public URI url(ReplicaId replica) {
    return withoutSlash(replicas.get(replica));
  }

  /** URL of each replica's web application for clients, without a slash at the end. */
  public URI clientUrl(ReplicaId replica) {
    return withoutSlash(clientAddresses.url(replica));
  }

  /** The URLs of all replicas' web applications, for clients and for the other replicas. */
  public List<URI> allUrls() {
    return replicas.keySet().stream().flatMap(id -> Stream.of(clientUrl(id), url(id))).distinct().toList();
  }

  /** Whether URLs are configured at which clients reach the web applications. */
  public boolean hasClientUrls() {
    return clientAddresses.isConfigured();
  }

  /** Whether clients reach all replicas at one URL, so that they cannot choose one. */
  public boolean hasOneClientUrl() {
    return clientAddresses.isShared();
  }

  private static URI withoutSlash(URI address) {
    String url = String.valueOf(address);
    return URI.create(url.endsWith("/") ? url.substring(0, url.length() - 1) : url);
  }

  /** Every replica of the group, ascending. */
  public List<ReplicaId> replicas() {
    return List.copyOf(replicas.keySet());
  }

  /** The addresses at which replicas listen for peers; empty for a strategy without peer channels. */
  public Map<ReplicaId, InetSocketAddress> peers() {
    return peers;
  }

  /** The name of the group channel; {@link Installed#LOG} for none. */
  public String channel() {
    return values.get(Key.CHANNEL);
  }

  /** Where a group channel listens; empty when that is not configured. */
  public Map<ReplicaId, InetSocketAddress> channelAddresses() {
    return channelAddresses;
  }

  /** The Spread daemon of this replica, used or not. */
  public InetSocketAddress daemon() {
    return daemon;
  }

  /** What a group channel may need. */
  public GroupChannelSettings channelSettings(List<MessageKind> messages) {
    return new GroupChannelSettings(
        group(), self, replicas(), messages, secret(), suspicion(), peerTls == null ? null : peerTls.context(), channelAddresses,
        daemon, values.get(Key.CHANNEL_SPREAD_SERVICE).equals("safe"));
  }

  /** Null when connections between replicas are plain. */
  public PeerTls peerTls() {
    return peerTls;
  }

  /**
   * The credentials of this replica towards its peers, with the settings that must be equal at all replicas.
   *
   * @param services returns the services of this replica, which are compared in every handshake
   */
  public Credentials credentials(Supplier<List<ServedService>> services) {
    Map<ReplicaId, String> urls = new TreeMap<>();
    replicas.keySet().forEach(replica -> urls.put(replica, url(replica).toString()));
    Map<ReplicaId, String> addresses = new TreeMap<>();
    peers.forEach((replica, address) -> addresses.put(replica, address.getHostString() + ":" + address.getPort()));
    Map<String, String> advised =
        Map.of(
            Key.CLIENT_URLS.property(), clientAddresses.listed(), Key.LOAD_INDEX.property(), values.get(Key.LOAD_INDEX),
            Key.CLIENT_READS.property(), values.get(Key.CLIENT_READS));
    GroupDescription group = new GroupDescription(group(), strategy.name(), urls, addresses).over(channel()).advising(advised);
    return new Credentials(self, group, secret(), services);
  }

  /** Silence after which a replica is suspected. */
  public Duration suspicion() {
    return Duration.ofNanos(timing.suspectNanos());
  }

  /** Empty for the strategy none. */
  public byte[] secret() {
    return values.getOrDefault(Key.SECRET, "").getBytes(StandardCharsets.UTF_8);
  }

  /** Whether this replica stores records in {@link #directory}. */
  boolean keepsRecords() {
    return strategy.requires().contains(Capability.STABLE_STORAGE);
  }

  /** Whether this replica keeps a journal in {@link #directory}. */
  public boolean keepsJournal() {
    return values.get(Key.JOURNAL).equals("disk");
  }

  /** Whether this replica agrees to start the group without state. */
  public boolean startsEmpty() {
    return values.get(Key.RESTART).equals("empty");
  }

  public Path directory() {
    return Path.of(values.getOrDefault(Key.DIRECTORY, "."));
  }

  public Timing timing() {
    return timing;
  }

  public Limits limits() {
    return limits;
  }

  public ReadLevel readLevel() {
    return ReadLevel.parse(values.get(Key.READ_LEVEL));
  }

  /** Whether a client's declaration makes a request a read where the service declares nothing. */
  public boolean trustsClientReads() {
    return values.get(Key.CLIENT_READS).equals("trusted");
  }

  public ReadConfirmation readConfirmation() {
    return ReadConfirmation.valueOf(values.get(Key.READ_CONFIRM).toUpperCase(Locale.ROOT));
  }

  /** The load index from which on requests are passed on; {@link Integer#MAX_VALUE} when off. */
  public int loadThreshold() {
    return numberUnlessOff(Key.LOAD_THRESHOLD);
  }

  /** The maximum number of requests in progress; {@link Integer#MAX_VALUE} when off. */
  public int loadLimit() {
    return numberUnlessOff(Key.LOAD_LIMIT);
  }

  /** What is compared with {@link #loadThreshold}; null for the requests in progress. */
  public LoadIndex loadIndex() {
    return loadIndex;
  }

  private int numberUnlessOff(Key key) {
    return values.get(key).equals("off") ? Integer.MAX_VALUE : (int) number(key);
  }

  public Duration requestDeadline() {
    return Duration.ofMillis(number(Key.REQUEST_DEADLINE_MS));
  }

  /** Proxies whose X-Forwarded-For is trusted for a client's address. */
  public TrustedProxies trustedProxies() {
    return proxies;
  }

  /** The time that a service method may run, and that requests wait for it. */
  public Duration execution() {
    return Duration.ofMillis(number(Key.EXECUTION_MS));
  }

  public int requestBytes() {
    return (int) number(Key.REQUEST_BYTES);
  }

  /** The time from a request's headers to the end of its body. */
  public Duration requestBody() {
    return Duration.ofMillis(number(Key.REQUEST_BODY_MS));
  }

  private static long heapShare() {
    return Runtime.getRuntime().maxMemory() / HEAP_SHARES;
  }

  /** Null when only the web application serves health. */
  public InetSocketAddress healthAddress() {
    return healthAddress;
  }

  private InetSocketAddress address(Key key) throws ConfigurationException {
    String value = values.get(key);
    if (value == null || value.isEmpty()) {
      return null;
    }
    int colon = value.lastIndexOf(':');
    try {
      return new InetSocketAddress(value.substring(0, colon), Integer.parseInt(value.substring(colon + 1)));
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new ConfigurationException(key.property() + " is " + value + ", which is not like host:port.");
    }
  }

  /** The maximum number of bytes of requests in progress, for all clients together. */
  public long heldBytes() {
    return values.get(Key.HELD_BYTES).equals(AUTO) ? heapShare() : number(Key.HELD_BYTES);
  }

  public Duration sessionLease() {
    return Duration.ofSeconds(number(Key.SESSION_LEASE_S));
  }

  /**
   * The number of places for AwaitView requests that wait.
   *
   * @param bytes the memory that the connection of one such request holds
   */
  public int heldPolls(int bytes) {
    return (int) (values.get(Key.HELD_POLLS).equals(AUTO)
        ? Math.max(1, heapShare() / bytes)
        : number(Key.HELD_POLLS));
  }

  /** Returns the value of a key for the service's database; null for another key, or when it is not set. */
  public String databaseSetting(String key) {
    return DatabaseKeys.value(values, key);
  }

  /** Settings of WS-AtomicTransaction; null when the web application takes no part in it. */
  public WsatSettings wsat() {
    return wsat;
  }

  /** Trusted certificates of https consumers and publishers. */
  public TrustAnchors trust() {
    return trust;
  }

  public int resources() {
    return (int) number(Key.RESOURCES);
  }

  /** The place where requests are replicated: {@code auto}, {@code before} or {@code after}. */
  public String place() {
    return values.get(Key.PLACE);
  }

  /** Whether the service has the operations of WSRF and WS-Notification beside its own. */
  public boolean wsrf() {
    return values.get(Key.WSRF).equals("on");
  }

  /** Names or addresses of endpoints that are replicated without annotation or feature; {@code *} for all. */
  public Set<String> endpoints() {
    Set<String> names = new TreeSet<>();
    for (String name : values.getOrDefault(Key.ENDPOINTS, "").split(",")) {
      if (!name.isBlank()) {
        names.add(name.strip());
      }
    }
    return names;
  }

  public int subscriptions() {
    return (int) number(Key.SUBSCRIPTIONS);
  }

  public Duration subscriptionLifetime() {
    return Duration.ofSeconds(number(Key.SUBSCRIPTION_LIFETIME_S));
  }

  public int notificationQueue() {
    return (int) number(Key.NOTIFICATION_QUEUE);
  }

  /** The sum of the pauses between attempts for one message. */
  public Duration notificationRetry() {
    return Duration.ofSeconds(number(Key.NOTIFICATION_RETRY_S));
  }

  /** The longest pause between two attempts for a message. */
  public Duration notificationRetryPause() {
    return Duration.ofSeconds(number(Key.NOTIFICATION_RETRY_PAUSE_S));
  }

  public int notificationsKept() {
    return (int) number(Key.NOTIFICATIONS_KEPT);
  }

  public int pullPoints() {
    return (int) number(Key.PULL_POINTS);
  }

  public int pullPointMessages() {
    return (int) number(Key.PULL_POINT_MESSAGES);
  }

  public Set<String> consumerHosts() {
    return Set.of(values.get(Key.CONSUMER_HOSTS).split("\\s*,\\s*"));
  }

  /** The maximum number of open transactions of clients. */
  public int transactions() {
    return (int) number(Key.TRANSACTIONS);
  }

  /** For how long a transaction of a client may be open. */
  public Duration transactionLifetime() {
    return Duration.ofMillis(number(Key.TRANSACTION_LIFETIME_MS));
  }

  /** The maximum number of calls in one transaction. */
  public int transactionCalls() {
    return (int) number(Key.TRANSACTION_CALLS);
  }

  /** The bytes of responses that one open transaction keeps. */
  public long transactionBytes() {
    return number(Key.TRANSACTION_BYTES);
  }

  /** The other groups with which transactions are possible. */
  public TransactionPeers transactionPeers() {
    return transactionPeers;
  }

  /** Hosts to which the service may send calls; empty for none. */
  public Set<String> outgoingHosts() {
    String hosts = values.get(Key.OUTGOING_HOSTS);
    return hosts.equals("none") ? Set.of() : Set.of(hosts.split("\\s*,\\s*"));
  }

  public int outgoingCalls() {
    return (int) number(Key.OUTGOING_CALLS);
  }

  /** The maximum number of bytes of calls that wait for one destination. */
  public long outgoingBytes() {
    return number(Key.OUTGOING_BYTES);
  }

  public int outgoingAttempts() {
    return (int) number(Key.OUTGOING_ATTEMPTS);
  }

  public int outgoingReplyBytes() {
    return (int) number(Key.OUTGOING_REPLY_BYTES);
  }

  /** The rules as text; parsed by the service group. */
  public String groupRules() {
    return values.get(Key.GROUP_RULES);
  }

  public int groupEntries() {
    return (int) number(Key.GROUP_ENTRIES);
  }

  /** The topics as text; parsed by the broker. */
  public String brokerTopics() {
    return values.get(Key.BROKER_TOPICS);
  }

  public boolean brokerRequiresRegistration() {
    return Boolean.parseBoolean(values.get(Key.BROKER_REQUIRES_REGISTRATION));
  }

  /** The time after which an unused topic expires. */
  public Duration brokerTopicLifetime() {
    return Duration.ofSeconds(number(Key.BROKER_TOPIC_LIFETIME_S));
  }

  public int brokerRegistrations() {
    return (int) number(Key.BROKER_REGISTRATIONS);
  }

  /** Whether properties and topics may be named without their namespace. */
  public boolean localNames() {
    return Boolean.parseBoolean(values.get(Key.LOCAL_NAMES));
  }

  /** Whether each captured state is restored and compared. */
  public boolean checksRestore() {
    return values.get(Key.CHECK).equals("restore");
  }

  /** Names of classes that Java serialization may capture. */
  public Set<String> serializable() {
    String names = values.get(Key.STATE_SERIALIZABLE).strip();
    return names.isEmpty() || names.equals("none") ? Set.of() : Set.copyOf(List.of(names.split("\\s*,\\s*")));
  }

  public int senderFaultStatus() {
    return Integer.parseInt(values.get(Key.SENDER_FAULT_STATUS));
  }

  public boolean timingHeader() {
    return Boolean.parseBoolean(values.get(Key.TIMING_HEADER));
  }
}
