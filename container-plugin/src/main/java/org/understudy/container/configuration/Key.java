package org.understudy.container.configuration;

import java.util.Locale;
import org.understudy.replication.api.ReplicaId;

/** Every key that {@code understudy.properties} may hold. {@code docs/configuration.md} is checked against this list. */
public enum Key {
  GROUP("understudy.group", "understudy", Range.described("text"),
      "Name of the group; replicas of another group are refused."),
  REPLICA("understudy.replica", null, Range.number(1, ReplicaId.MAX), "Number of this replica."),
  REPLICAS("understudy.replicas", null, Range.described("1=http://host:port/context,2=…"),
      "Every replica of the group, this one among them: number and URL of its web application. The same on all."),
  STRATEGY("understudy.strategy", "primary-backup", Range.described("primary-backup, none"),
      "How replicas agree. A jar in WEB-INF/lib can install more strategies."),
  TRANSFER("understudy.transfer", "socket", Range.oneOf("socket", "call", "notification"),
      "How state updates travel to the backups."),
  PEERS("understudy.peers", null, Range.described("1=host:port,2=…"),
      "Where each replica listens for its peers. The same on all; needed unless the strategy is none."),
  PEERS_PLAIN("understudy.peers.plain", "loopback", Range.oneOf("loopback", "accepted"),
      "Where connections between replicas may do without TLS: where every peer address is a loopback address, or anywhere. "
          + "Plain connections are authenticated, but whoever sees the network reads the state."),
  PEER_KEY_STORE("understudy.peer.key.store", null, Range.described("a path"),
      "Key store (PKCS12 or JKS) with this replica's key and certificate; with it connections between replicas use TLS. "
          + "The certificate is for the host in understudy.peers. Needed unless plain connections are permitted."),
  PEER_KEY_STORE_PASSWORD("understudy.peer.key.store.password", null, Range.described("text"),
      "Password of that key store and its key."),
  PEER_TRUST_STORE("understudy.peer.trust.store", null, Range.described("a path"),
      "Key store with the certificates, or those of their issuers, by which other replicas are trusted. Needed with "
          + "understudy.peer.key.store."),
  PEER_TRUST_STORE_PASSWORD("understudy.peer.trust.store.password", null, Range.described("text"),
      "Password of that key store."),
  SECRET("understudy.secret", null, Range.described("16 characters or more"),
      "Proves a replica to its peers. The same on all; needed unless the strategy is none."),
  DIRECTORY("understudy.directory", null, Range.described("a path"),
      "Where this replica keeps its membership record; one directory a replica. Needed unless the strategy is none."),
  HEARTBEAT_MS("understudy.heartbeat.ms", "50", Range.number(5, 10_000),
      "Milliseconds between two heartbeats of the primary; a lease is three of them."),
  SUSPECT_MS("understudy.suspect.ms", "1000", Range.number(50, 600_000),
      "Milliseconds of silence after which a replica is suspected; two heartbeats at least."),
  READ_LEVEL("understudy.read.level", "linearizable", Range.oneOf("linearizable", "session", "local"),
      "Level of reads for which neither the service nor the client says one."),
  READ_CONFIRM("understudy.read.confirm", "lease", Range.oneOf("lease", "always"),
      "How the primary confirms linearizable reads: by a lease, which assumes that its clocks do not stop unnoticed, or "
          + "always by a round to a majority, which assumes nothing about clocks and costs one round trip a read."),
  LOAD_THRESHOLD("understudy.load.threshold", "off", Range.wordOrNumber("off", 1, 100_000),
      "Requests in progress above which a replica points clients to others."),
  REQUEST_DEADLINE_MS("understudy.request.deadline.ms", "20000", Range.number(100, 600_000),
      "Milliseconds that a request waits for stability or a view change before it is answered as still pending."),
  TRUSTED_PROXIES("understudy.trusted.proxies", "none", Range.described("none, or addresses and networks, comma between"),
      "Load balancers and proxies whose X-Forwarded-For is believed for a client's address, for example 10.0.0.0/8. Clients "
          + "without a principal have their shares of limits by address."),
  EXECUTION_MS("understudy.execution.ms", "60000", Range.number(100, 86_400_000),
      "Milliseconds that a service method may run. After that its client is answered as still pending, and requests that wait "
          + "for the same resource as overloaded; the method goes on."),
  REQUEST_BYTES("understudy.request.bytes", "4194304", Range.number(1_024, 268_435_456), "Largest request body, in bytes."),
  REQUEST_BODY_MS("understudy.request.body.ms", "30000", Range.number(100, 3_600_000),
      "Milliseconds in which a request's body must have arrived."),
  HELD_BYTES("understudy.held.bytes", "auto", Range.wordOrNumber("auto", 1_048_576, 68_719_476_736L),
      "Bytes that requests in progress hold at this replica, those whose bodies are arriving among them: 100,000 for each "
          + "and its body. One client (principal, else address) may hold a fourth. auto: a fourth of the heap."),
  SESSIONS("understudy.sessions", "100000", Range.number(1, 10_000_000), "Open sessions in the group."),
  SESSION_OPEN("understudy.session.open", "2048", Range.number(1, 65_536), "Kept replies of one session."),
  SESSION_LEASE_S("understudy.session.lease.s", "600", Range.number(5, 86_400),
      "Seconds that a session lives without a request or a renewal."),
  MESSAGE_IDS("understudy.message.ids", "800000", Range.number(1_000, 10_000_000),
      "Identities kept of requests known by their wsa:MessageID; some 50 bytes each."),
  MESSAGE_IDS_S("understudy.message.ids.s", "120", Range.number(5, 86_400),
      "Seconds that such an identity is kept: that long a repeated wsa:MessageID is never executed again."),
  CALLER_SHARE("understudy.caller.share", "50", Range.number(1, 100),
      "Per cent that one client (principal, else address) may use of each limit on what the group keeps: sessions, "
          + "message ids, replies, bytes of state, resources, subscriptions, pull points, entries, registrations, topics. "
          + "Clients that use little are admitted beyond a limit that others have filled, up to twice as much."),
  STATE_BYTES("understudy.state.bytes", "67108864", Range.number(65_536, 68_719_476_736L),
      "Bytes of all resources' states, and of subscriptions and what else is replicated. Beyond it, updates that make the "
          + "state grow are refused as Overloaded."),
  RESOURCES("understudy.resources", "1000000", Range.number(1, 10_000_000), "Resources of the service at a time."),
  RESOURCE_BYTES("understudy.resource.bytes", "8388608", Range.number(4_096, 33_554_432),
      "Bytes of one resource's state. An execution beyond it is undone and ends as TooLarge."),
  REPLIES_BYTES("understudy.replies.bytes", "33554432", Range.number(65_536, 68_719_476_736L),
      "Bytes of all replies that are kept for repeated requests."),
  SESSION_REPLIES_BYTES("understudy.session.replies.bytes", "8388608", Range.number(4_096, 1_073_741_824),
      "Bytes of the replies that are kept for one session."),
  REPLY_BYTES("understudy.reply.bytes", "8388608", Range.number(4_096, 33_554_432),
      "Bytes of one reply. An execution beyond it is undone and ends as TooLarge."),
  UNSTABLE_BYTES("understudy.unstable.bytes", "33554432", Range.number(65_536, 1_073_741_824),
      "Bytes of updates that wait for the backups, beyond which updates are refused as Overloaded."),
  HELD_POLLS("understudy.held.polls", "auto", Range.wordOrNumber("auto", 1, 1_000_000),
      "Places for AwaitView requests that wait at this replica; every stub has one. A request takes one place, and ten over "
          + "TLS, HTTP/2 or AJP or where its body arrived after its head. One client (principal, else address) may have a "
          + "fourth. auto: as many as fill a fourth of the heap with a place's bytes: the connector's buffers and 2,500."),
  HEALTH_ADDRESS("understudy.health.address", null, Range.described("host:port"),
      "Where /health/live, /health/ready and /health/writable are answered on a port and thread of their own, also while "
          + "every thread of Tomcat is busy. For load balancers; not for the public. Where it is left out: at the web "
          + "application only."),
  CONSUMER_HOSTS("understudy.consumer.hosts", "127.0.0.1,localhost",
      Range.described("host names or addresses, comma between"),
      "Hosts to which notifications may be sent; loopback addresses only if one of them is listed. Never to the ports of "
          + "peers or of health, and without Notify (UseRaw) never to a replica's own port."),
  TRUST_STORE("understudy.trust.store", null, Range.described("a path"),
      "Key store (PKCS12 or JKS) with the certificates by which https consumers and publishers are trusted. Where it is "
          + "left out: what the JVM trusts."),
  TRUST_STORE_PASSWORD("understudy.trust.store.password", null, Range.described("text"), "Password of that key store."),
  SUBSCRIPTIONS("understudy.subscriptions", "20000", Range.number(1, 1_000_000), "Subscriptions in the group at a time."),
  SUBSCRIPTION_LIFETIME_S("understudy.subscription.lifetime.s", "3600", Range.number(1, 31_536_000),
      "Seconds that a subscription or pull point lives whose creator asked for no termination time."),
  NOTIFICATION_QUEUE("understudy.notification.queue", "1000", Range.number(1, 1_000_000),
      "Messages that wait for one consumer; one more ends its subscription."),
  NOTIFICATION_RETRY_S("understudy.notification.retry.s", "300", Range.number(0, 86_400),
      "Seconds that a consumer may be away: the pauses between attempts for one message, in all. Then its subscription ends."),
  NOTIFICATION_RETRY_PAUSE_S("understudy.notification.retry.pause.s", "30", Range.number(1, 3_600),
      "Longest pause in seconds between two attempts for a message; the first is 0.2 s, each further one twice as long."),
  NOTIFICATIONS_KEPT("understudy.notifications.kept", "10000", Range.number(1, 10_000_000),
      "Messages of the whole service that are kept for consumers that are behind, in a fourth of understudy.state.bytes at "
          + "most; who would need more is given up."),
  PULL_POINTS("understudy.pull.points", "1000", Range.number(1, 1_000_000), "Pull points in the group at a time."),
  PULL_POINT_MESSAGES("understudy.pull.point.messages", "1000", Range.number(1, 1_000_000),
      "Messages that wait in one pull point; a full one takes no more until some are fetched."),
  GROUP_RULES("understudy.servicegroup.rules", "any", Range.described("any, or {ns}interface … -> {ns}element …; …"),
      "Who may be a member of the service group: interfaces that the reference must name, and elements that the content "
          + "must hold; one rule is enough."),
  GROUP_ENTRIES("understudy.servicegroup.entries", "10000", Range.number(0, 1_000_000),
      "Entries of the service group at a time."),
  BROKER_TOPICS("understudy.broker.topics", "any", Range.described("any, or {ns}root/child …"),
      "Topics of a broker, space between; any: a topic is there from its first message on, up to 10,000 topics."),
  BROKER_TOPIC_LIFETIME_S("understudy.broker.topic.lifetime.s", "86400", Range.number(1, 31_536_000),
      "Seconds without a message after which a topic of a broker that has any ends, with its current message."),
  BROKER_REQUIRES_REGISTRATION("understudy.broker.requires.registration", "false", Range.oneOf("true", "false"),
      "Whether a broker takes messages of registered publishers only."),
  BROKER_REGISTRATIONS("understudy.broker.registrations", "1000", Range.number(1, 100_000),
      "Publishers that are registered at a broker at a time."),
  LOCAL_NAMES("understudy.local.names", "true", Range.oneOf("true", "false"),
      "Whether a resource property or topic may be named without its namespace where the local name belongs to one only; the "
          + "standards want the namespace."),
  TIMING_HEADER("understudy.timing.header", "false", Range.oneOf("true", "false"),
      "Whether responses tell in Server-Timing how long the update took to become stable; for measuring.");

  private final String property;
  private final String defaultValue;
  private final Range range;
  private final String meaning;

  Key(String property, String defaultValue, Range range, String meaning) {
    this.property = property;
    this.defaultValue = defaultValue;
    this.range = range;
    this.meaning = meaning;
  }

  public String property() {
    return property;
  }

  /** The environment variable that overrides the file. */
  public String variable() {
    return property.toUpperCase(Locale.ROOT).replace('.', '_');
  }

  /** Null when there is none. */
  public String defaultValue() {
    return defaultValue;
  }

  Range range() {
    return range;
  }

  public String meaning() {
    return meaning;
  }
}
