package org.understudy.container.configuration;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.understudy.replication.api.ReplicaId;

/** Every key that {@code understudy.properties} may hold. {@code docs/configuration.md} is checked against this list. */
public enum Key {
  GROUP("understudy.group", "understudy", Range.described("text"),
      "Name of the group. A replica rejects connections from replicas of another group."),
  GROUPS("understudy.groups", null, Range.described("names, comma between"),
      "Groups whose replicas this web application holds, for services that are not to share one: up to eight names of lower-case "
          + "letters and digits. A key of one group is, for example, understudy.group.NAME.peers; keys that it lacks are those "
          + "without its name. Default: one group without a name. The same on every replica."),
  REPLICA("understudy.replica", null, Range.number(1, ReplicaId.MAX), "Number of this replica."),
  REPLICAS("understudy.replicas", null, Range.described("1=http://host:port/context,2=…"),
      "Number and URL of the web application of every replica of the group, including this one. The same on every "
          + "replica."),
  CLIENT_URLS("understudy.client.urls", null, Range.described("1=https://host/context,2=…, or one URL"),
      "URLs at which clients reach the web applications of the replicas, where they differ from understudy.replicas: behind "
          + "network address translation or a proxy. One URL for all of them (a load balancer): replicas then forward requests that "
          + "another one is to serve, and redirect no client. Default: understudy.replicas. The same on every replica."),
  STRATEGY("understudy.strategy", "primary-backup", Range.described("primary-backup, group, none"),
      "Replication strategy. A jar in WEB-INF/lib can install more strategies."),
  TRANSFER("understudy.transfer", "socket", Range.oneOf("socket", "call", "notification"),
      "How state updates travel to the backups."),
  CHANNEL("understudy.channel", "log", Range.described("log, jgroups, spread"),
      "What delivers updates among the replicas of the strategy group. log: the connections between peers. jgroups, spread: a "
          + "group channel, whose jar must be in WEB-INF/lib; docs/channels.md describes both. The same on every replica."),
  CHANNEL_JGROUPS_ADDRESSES("understudy.channel.jgroups.addresses", null, Range.described("1=host:port,2=…"),
      "Host and port where JGroups of each replica listens. Other ports than those of understudy.peers. Connections use TLS "
          + "if understudy.peer.key.store is set, which is required unless all are loopback addresses. The same on every "
          + "replica. Required if understudy.channel is jgroups."),
  CHANNEL_SPREAD_DAEMON("understudy.channel.spread.daemon", "4803@localhost", Range.described("port@host"),
      "The Spread daemon of this replica, if understudy.channel is spread."),
  CHANNEL_SPREAD_SERVICE("understudy.channel.spread.service", "agreed", Range.oneOf("agreed", "safe"),
      "The service that the Spread daemons give to messages. safe: a message arrives only when every daemon has it, which takes another "
          + "round among the daemons. An update needs the acknowledgements of all replicas with both; docs/channels.md compares them."),
  PEERS("understudy.peers", null, Range.described("1=host:port,2=…"),
      "Host and port where each replica listens for its peers. The same on every replica. Required unless the strategy "
          + "is none."),
  PEERS_PLAIN("understudy.peers.plain", "loopback", Range.oneOf("loopback", "accepted"),
      "Where connections between replicas may be without TLS. loopback: only if every peer address is a loopback "
          + "address. accepted: anywhere. Plain connections are authenticated, but anyone who can read the network can "
          + "read the state."),
  PEER_KEY_STORE("understudy.peer.key.store", null, Range.described("a path"),
      "Key store (PKCS12 or JKS) with this replica's key and certificate. If set, connections between replicas use TLS. "
          + "The certificate must name the host in understudy.peers. Required unless plain connections are permitted."),
  PEER_KEY_STORE_PASSWORD("understudy.peer.key.store.password", null, Range.described("text"),
      "Password of that key store and its key."),
  PEER_TRUST_STORE("understudy.peer.trust.store", null, Range.described("a path"),
      "Key store with the certificates of the other replicas or of their issuers. Required with "
          + "understudy.peer.key.store."),
  PEER_TRUST_STORE_PASSWORD("understudy.peer.trust.store.password", null, Range.described("text"),
      "Password of that key store."),
  SECRET("understudy.secret", null, Range.described("16 characters or more"),
      "Authenticates replicas to each other. The same on every replica. Required unless the strategy is none."),
  DIRECTORY("understudy.directory", null, Range.described("an absolute path"),
      "Where this replica stores its durable records. Each replica needs its own directory. Required unless the strategy "
          + "is none."),
  JOURNAL("understudy.journal", "none", Range.oneOf("none", "disk"),
      "Whether this replica keeps a journal of updates and state in understudy.directory. none: after a restart it has no state "
          + "until another replica brings it up to date, and a group whose replicas all restart is lost. disk: it acknowledges an update "
          + "when the update is synced, and continues after a restart from what it acknowledged; a group survives that all its "
          + "replicas stop. disk requires the strategy primary-backup or group; with group, all replicas have the same value."),
  RESTART("understudy.restart", "wait", Range.oneOf("wait", "empty"),
      "What this replica does after a restart that lost its state, if no replica has the group's state. wait: it waits for one that "
          + "has. empty: it agrees to start the group without state. The group does so when all configured replicas run, have lost "
          + "their state and agree; sessions are lost too. empty requires the strategy primary-backup or group."),
  HEARTBEAT_MS("understudy.heartbeat.ms", "50", Range.number(5, 10_000),
      "Milliseconds between two heartbeats of the primary; a lease is three of them, on long links up to twelve."),
  SUSPECT_MS("understudy.suspect.ms", "1000", Range.number(50, 600_000),
      "Milliseconds of silence after which a replica is suspected. At least two heartbeats."),
  READ_LEVEL("understudy.read.level", "linearizable", Range.oneOf("linearizable", "session", "local"),
      "Level of reads for which neither the service nor the client sets one."),
  CLIENT_READS("understudy.client.reads", "declared", Range.oneOf("declared", "trusted"),
      "Which requests are reads. declared: those of operations that the service declares reads, by @Read or in its contract. trusted: also "
          + "those that clients declare reads, by ActionType in their header, of operations for which the service declares nothing. A "
          + "client that so calls an operation that changes state makes the replicas' states differ: only if you control every client. "
          + "The same on every replica."),
  READ_CONFIRM("understudy.read.confirm", "lease", Range.oneOf("lease", "always"),
      "How the primary confirms linearizable reads. lease: by a lease, which assumes that its clocks do not stop "
          + "unnoticed. always: by a round to a majority, which assumes nothing about clocks and costs one round trip a "
          + "read."),
  LOAD_THRESHOLD("understudy.load.threshold", "off", Range.wordOrNumber("off", 1, 100_000),
      "Load index from which on a replica passes requests to replicas below it that serve them too: it redirects clients with "
          + "the stub, and forwards requests of others. A request is passed on once; if no replica is below, this one serves it. "
          + "Without effect on what one replica alone serves, such as updates under primary-backup."),
  LOAD_LIMIT("understudy.load.limit", "off", Range.wordOrNumber("off", 1, 100_000),
      "Requests in progress above which a replica rejects further ones as Overloaded. Not below understudy.load.threshold if "
          + "that counts requests."),
  LOAD_INDEX("understudy.load.index", "requests", Range.described("requests, or the name of an installed index"),
      "What is compared with understudy.load.threshold. requests: the requests in progress at the replica. Another name: a LoadIndex that "
          + "the web application installs. The same on every replica."),
  REQUEST_DEADLINE_MS("understudy.request.deadline.ms", "20000", Range.number(100, 600_000),
      "Milliseconds that a request waits for stability or a view change before its client gets StillPending."),
  TRUSTED_PROXIES("understudy.trusted.proxies", "none", Range.described("none, or addresses and networks, comma between"),
      "Load balancers and proxies whose X-Forwarded-For is trusted for a client's address, for example 10.0.0.0/8. "
          + "Clients without a principal have their shares of limits by address."),
  EXECUTION_MS("understudy.execution.ms", "60000", Range.number(100, 86_400_000),
      "Milliseconds that a service method may run. After that its client gets StillPending, and requests that wait for "
          + "the same resource get Overloaded. The method is not interrupted."),
  REQUEST_BYTES(
      "understudy.request.bytes", "4194304", Range.number(1_024, 268_435_456), "Largest request body, in bytes, as the client sends it."),
  REQUEST_BODY_MS("understudy.request.body.ms", "30000", Range.number(100, 3_600_000),
      "Milliseconds within which a request's body must arrive."),
  HELD_BYTES("understudy.held.bytes", "auto", Range.wordOrNumber("auto", 1_048_576, 68_719_476_736L),
      "Bytes that requests in progress hold at this replica: for each, 100,000 plus 8 for each byte of its body (11 for "
          + "multipart/related), from its first byte to its answer. One client (principal, else address) may hold a fourth. "
          + "auto: a fourth of the heap."),
  SESSIONS("understudy.sessions", "100000", Range.number(1, 10_000_000),
      "Maximum number of open sessions in the group."),
  SESSION_OPEN("understudy.session.open", "2048", Range.number(1, 65_536),
      "Maximum number of replies kept for one session."),
  SESSION_LEASE_S("understudy.session.lease.s", "600", Range.number(5, 86_400),
      "Seconds after which a session without a request or a renewal expires."),
  MESSAGE_IDS("understudy.message.ids", "800000", Range.number(1_000, 10_000_000),
      "Maximum number of identities kept for requests with a wsa:MessageID; some 50 bytes each."),
  MESSAGE_IDS_S("understudy.message.ids.s", "120", Range.number(5, 86_400),
      "Seconds that such an identity is kept. During that time a repeated wsa:MessageID is never executed again."),
  CALLER_SHARE("understudy.caller.share", "50", Range.number(1, 100),
      "Percentage that one client (principal, else address) may use of each limit on what the group stores: sessions, "
          + "message ids, replies, bytes of state, resources, subscriptions, pull points, entries, registrations, topics. "
          + "Clients that use little are admitted beyond a limit that others have exhausted, up to twice the limit."),
  STATE_BYTES("understudy.state.bytes", "67108864", Range.number(65_536, 68_719_476_736L),
      "Bytes of all replicated state: resources, subscriptions and the rest. Above it, updates that make the state grow "
          + "are rejected as Overloaded."),
  RESOURCES("understudy.resources", "1000000", Range.number(1, 10_000_000),
      "Maximum number of resources of the service."),
  RESOURCE_BYTES("understudy.resource.bytes", "8388608", Range.number(4_096, 33_554_432),
      "Bytes of one resource's state. An execution that exceeds it is undone and fails with TooLarge."),
  STATE_SERIALIZABLE("understudy.state.serializable", "none", Range.described("none, or class names, comma between"),
      "Classes whose objects Java serialization may capture in a state marked @ReplicatedState, for types that cannot be "
          + "captured by their fields. Exact names: each class in such an object's graph and each serializable superclass "
          + "must be listed. The same on every replica."),
  REPLIES_BYTES("understudy.replies.bytes", "33554432", Range.number(65_536, 68_719_476_736L),
      "Bytes of all replies kept for repeated requests."),
  SESSION_REPLIES_BYTES("understudy.session.replies.bytes", "8388608", Range.number(4_096, 1_073_741_824),
      "Bytes of the replies kept for one session."),
  REPLY_BYTES("understudy.reply.bytes", "8388608", Range.number(4_096, 33_554_432),
      "Bytes of one reply. An execution that exceeds it is undone and fails with TooLarge."),
  UNSTABLE_BYTES("understudy.unstable.bytes", "33554432", Range.number(65_536, 1_073_741_824),
      "Bytes of updates that wait for the backups. Above it, updates are rejected as Overloaded."),
  HELD_POLLS("understudy.held.polls", "auto", Range.wordOrNumber("auto", 1, 1_000_000),
      "Places for AwaitView requests that wait at this replica; every stub has one such request. A request takes one "
          + "place; over TLS, HTTP/2 or AJP, or if its body arrived after its head, ten. One client (principal, else "
          + "address) may have a fourth. auto: as many as fill a fourth of the heap, at the size of the connector's "
          + "buffers plus 2,500 bytes each."),
  HEALTH_ADDRESS("understudy.health.address", null, Range.described("host:port"),
      "Serves /health/live, /health/ready and /health/writable on a separate port and thread, even while all threads of "
          + "Tomcat are busy. For load balancers; not for the public. Default: at the web application only."),
  CONSUMER_HOSTS("understudy.consumer.hosts", "127.0.0.1,localhost",
      Range.described("host names or addresses, comma between"),
      "Hosts to which notifications may be sent. Loopback addresses are allowed only if one of them is listed. The ports "
          + "of peers and of health are never allowed, and without Notify (UseRaw) neither is a replica's own port."),
  TRUST_STORE("understudy.trust.store", null, Range.described("a path"),
      "Key store (PKCS12 or JKS) with the certificates by which https consumers, publishers and replicas (to which "
          + "requests are forwarded) are trusted. Default: the JVM's trust store."),
  TRUST_STORE_PASSWORD("understudy.trust.store.password", null, Range.described("text"), "Password of that key store."),
  ENDPOINTS("understudy.endpoints", null, Range.described("names or addresses, comma between, or *"),
      "Endpoints of the web application's own that are replicated without the annotation @FaultTolerant or the feature: the name "
          + "of the port, its name with the namespace as {ns}name, or the address within CXF's servlet, as /hello. *: all. The same "
          + "on every replica."),
  SENDER_FAULT_STATUS("understudy.sender.fault.status", "500", Range.oneOf("400", "500"),
      "HTTP status of a SOAP 1.2 fault with the code Sender. 500: as CXF sends, whose clients do not read the fault of a 400. 400: as "
          + "SOAP's HTTP binding requires. The same on every replica."),
  PLACE("understudy.place", "auto", Range.oneOf("auto", "before", "after"),
      "Where requests to the service are replicated. auto: after CXF's interceptors if anything in CXF may authenticate a caller "
          + "or change a message, else before CXF. before: always before CXF; a duplicate then gets the stored reply without "
          + "passing handlers and interceptors. after: always after its interceptors. The same on every replica."),
  WSRF("understudy.wsrf", "on", Range.oneOf("on", "off"),
      "Whether the service also has the operations of WSRF 1.2 and WS-Notification 1.3, as declared in its published WSDL. "
          + "off: the published WSDL is the service's own; resources have no termination time, and nothing is published "
          + "on a topic. A broker requires on. The same on every replica."),
  SUBSCRIPTIONS("understudy.subscriptions", "20000", Range.number(1, 1_000_000),
      "Maximum number of subscriptions in the group."),
  SUBSCRIPTION_LIFETIME_S("understudy.subscription.lifetime.s", "3600", Range.number(1, 31_536_000),
      "Lifetime in seconds of a subscription or pull point whose creator requested no termination time."),
  NOTIFICATION_QUEUE("understudy.notification.queue", "1000", Range.number(1, 1_000_000),
      "Maximum number of messages that wait for one consumer. One more ends its subscription."),
  NOTIFICATION_RETRY_S("understudy.notification.retry.s", "300", Range.number(0, 86_400),
      "Seconds for which a message to an unreachable consumer is retried: the sum of the pauses between attempts. Then "
          + "its subscription ends."),
  NOTIFICATION_RETRY_PAUSE_S("understudy.notification.retry.pause.s", "30", Range.number(1, 3_600),
      "Longest pause in seconds between two attempts for a message. The first pause is 0.2 s, and each further one is "
          + "twice as long."),
  NOTIFICATIONS_KEPT("understudy.notifications.kept", "10000", Range.number(1, 10_000_000),
      "Maximum number of messages of the whole service that are kept for lagging consumers, in at most a fourth of "
          + "understudy.state.bytes. The subscription of a consumer that lags further behind ends."),
  PULL_POINTS("understudy.pull.points", "1000", Range.number(1, 1_000_000),
      "Maximum number of pull points in the group."),
  PULL_POINT_MESSAGES("understudy.pull.point.messages", "1000", Range.number(1, 1_000_000),
      "Maximum number of messages that wait in one pull point. A full one accepts no more until some are fetched."),
  GROUP_RULES("understudy.servicegroup.rules", "any", Range.described("any, or {ns}interface … -> {ns}element …; …"),
      "Rules for members of the service group: interfaces that the reference must name, and elements that the content "
          + "must hold. A member must match one rule."),
  GROUP_ENTRIES("understudy.servicegroup.entries", "10000", Range.number(0, 1_000_000),
      "Maximum number of entries of the service group."),
  BROKER_TOPICS("understudy.broker.topics", "any", Range.described("any, or {ns}root/child …"),
      "Topics of a broker, separated by spaces. any: a topic exists from its first message on, up to 10,000 topics."),
  BROKER_TOPIC_LIFETIME_S("understudy.broker.topic.lifetime.s", "86400", Range.number(1, 31_536_000),
      "Seconds without a message after which a topic of a broker expires with its current message, if "
          + "understudy.broker.topics is any."),
  BROKER_REQUIRES_REGISTRATION("understudy.broker.requires.registration", "false", Range.oneOf("true", "false"),
      "Whether a broker accepts messages of registered publishers only."),
  BROKER_REGISTRATIONS("understudy.broker.registrations", "1000", Range.number(1, 100_000),
      "Maximum number of publishers registered at a broker."),
  TRANSACTIONS("understudy.transactions", "100", Range.number(4, 100_000),
      "Maximum number of open transactions of clients at this replica. One client may have a quarter of them."),
  TRANSACTION_LIFETIME_MS("understudy.transaction.lifetime.ms", "30000", Range.number(100, 3_600_000),
      "Milliseconds after which an open transaction is aborted. Its resources are locked for others meanwhile."),
  TRANSACTION_CALLS("understudy.transaction.calls", "1000", Range.number(1, 1_000_000), "Maximum number of calls in one transaction."),
  TRANSACTION_BYTES("understudy.transaction.bytes", "1048576", Range.number(1_024, 1_073_741_824),
      "Bytes of responses that one open transaction keeps for repeated calls. A transaction with more is aborted."),
  TRANSACTION_PEERS("understudy.transaction.peers", "none", Range.described("none, or group=URL, comma between"),
      "The other groups with which one transaction can be made: for each of their replicas, group=URL of a service there. No other address "
          + "is called, and no other group is accepted as a coordinator. The same on every replica."),
  TRANSACTION_SECRET("understudy.transaction.secret", null, Range.described("16 characters or more"),
      "Secret that authenticates the messages between these groups. The same at all of them."),
  OUTGOING_HOSTS("understudy.outgoing.hosts", "none", Range.described("none, or host names or addresses, comma between"),
      "Hosts to which the service may send calls through its outbox. Loopback addresses are allowed only if one of them is "
          + "listed. The ports of peers and of health are never allowed. The same on every replica."),
  OUTGOING_CALLS("understudy.outgoing.calls", "10000", Range.number(1, 1_000_000),
      "Maximum number of stored calls in the group: waiting, in flight, or dead letters."),
  OUTGOING_BYTES("understudy.outgoing.bytes", "4194304", Range.number(4_096, 1_073_741_824),
      "Bytes of the calls that wait for one destination. A further call is rejected: the operation that sends it gets " + "an exception."),
  OUTGOING_ATTEMPTS("understudy.outgoing.attempts", "20", Range.number(1, 1_000_000),
      "Failed attempts after which a call becomes a dead letter. The first pause between two is 0.2 s, and each further one is "
          + "twice as long, up to 30 s. Attempts without a connection, and the HTTP statuses 429 and 503, do not count. A "
          + "failover starts the count again."),
  OUTGOING_REPLY_BYTES("understudy.outgoing.reply.bytes", "262144", Range.number(1_024, 33_554_432),
      "Bytes of the answer to a call. A call with a longer answer becomes a dead letter."),
  DATABASE_URL("understudy.database.url", null, Range.described("a JDBC URL: jdbc:mysql:…, jdbc:h2:tcp:…, jdbc:h2:ssl:…"),
      "The database of the service's database objects, one for all replicas of the group. MariaDB is written jdbc:mysql: too. An H2 in the "
          + "process of its user (jdbc:h2:PATH) is for a single replica only. The same on every replica."),
  DATABASE_USER("understudy.database.user", null, Range.described("text"),
      "User of that database. A user of this group alone, because the group ends idle sessions of its user when it fences a replica."),
  DATABASE_PASSWORD("understudy.database.password", null, Range.described("text"), "Password of that user."),
  DATABASE_PASSWORD_FILE("understudy.database.password.file", null, Range.described("a path"),
      "File that holds the password, instead of understudy.database.password."),
  DATABASE_POOL("understudy.database.pool", "16", Range.number(2, 64),
      "Maximum number of connections of this replica to the database. Further transactions wait, at most understudy.database.timeout.ms."),
  DATABASE_TLS("understudy.database.tls", "auto", Range.oneOf("auto", "disabled", "preferred", "required", "verified"),
      "TLS to the database. verified: with a trusted certificate (understudy.trust.store, else the JVM's) that names the host. required: "
          + "with any certificate. preferred: if the server offers it. auto: preferred at a loopback address, else verified. H2 uses TLS "
          + "only with jdbc:h2:ssl:."),
  DATABASE_LOCK_MS("understudy.database.lock.ms", "2000", Range.number(50, 60_000),
      "Milliseconds that a statement waits for a lock of another transaction before the operation is undone and executed again. MySQL and "
          + "MariaDB round up to seconds."),
  DATABASE_TIMEOUT_MS("understudy.database.timeout.ms", "10000", Range.number(100, 600_000),
      "Milliseconds that a connection, one statement, or fencing an old primary may take. At least twice understudy.database.lock.ms."),
  WSAT("understudy.wsat", "off", Range.oneOf("off", "participant", "coordinator"),
      "Role of the module understudy-wsat in WS-AtomicTransaction: participant, or participant and coordinator. The module is then needed "
          + "in WEB-INF/lib."),
  WSAT_DIRECTORY("understudy.wsat.directory", null, Range.described("an absolute path"),
      "Directory of this web application for what it has to know about prepared transactions after a restart. Required with "
          + "understudy.wsat."),
  WSAT_HOSTS("understudy.wsat.hosts", "127.0.0.1,localhost", Range.described("host names or addresses, comma between"),
      "Hosts of coordinators and participants. A message of WS-AtomicTransaction with an address at another host is rejected."),
  WSAT_RECOVERY_S("understudy.wsat.recovery.s", "30", Range.number(1, 3_600),
      "Seconds between attempts to finish transactions that a restart or a lost connection interrupted."),
  WSAT_TIMEOUT_S("understudy.wsat.timeout.s", "30", Range.number(1, 3_600),
      "Seconds that a coordinator waits for a participant's vote before it aborts the transaction."),
  WSAT_TASKS("understudy.wsat.tasks", "256", Range.number(1, 100_000),
      "Messages of WS-AtomicTransaction that this web application accepts while earlier ones are processed."),
  LOCAL_NAMES("understudy.local.names", "true", Range.oneOf("true", "false"),
      "Whether a resource property or topic may be named without its namespace if its local name is unique. The "
          + "standards require the namespace."),
  CHECK("understudy.check", "off", Range.oneOf("off", "restore"),
      "restore: each captured state is restored into a second object and compared with the first. An update with an "
          + "incomplete state fails, and the log names the path. For tests: each update is captured, restored and compared "
          + "by reflection."),
  TIMING_HEADER("understudy.timing.header", "false", Range.oneOf("true", "false"),
      "Whether responses report in Server-Timing how long the update took to become stable, the milliseconds before the "
          + "service ran and in its last run, those of the decision about load, how often it ran, and the milliseconds of "
          + "its wait for the resource's lock and of a database's commit; for measurements.");

  static final String PREFIX = "understudy.";
  static final String GROUP_PREFIX = PREFIX + "group.";
  private static final Set<Key> COMMON =
      EnumSet.of(GROUPS, LOAD_THRESHOLD, LOAD_LIMIT, LOAD_INDEX, TRUSTED_PROXIES, HELD_BYTES, HELD_POLLS, HEALTH_ADDRESS, WSAT,
          WSAT_DIRECTORY, WSAT_HOSTS, WSAT_RECOVERY_S, WSAT_TIMEOUT_S, WSAT_TASKS);
  /** What names a replica, and what names something of the machine that it runs on. */
  private static final Set<Key> PER_REPLICA =
      EnumSet.of(REPLICA, CHANNEL_SPREAD_DAEMON, PEER_KEY_STORE, PEER_KEY_STORE_PASSWORD, PEER_TRUST_STORE, PEER_TRUST_STORE_PASSWORD,
          DIRECTORY, HEALTH_ADDRESS, TRUST_STORE, TRUST_STORE_PASSWORD, DATABASE_PASSWORD_FILE, WSAT_DIRECTORY);

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
    return variable(property);
  }

  /** Null for a key without default. */
  public String defaultValue() {
    return defaultValue;
  }

  /** The key of one group of several; overrides this key for that group. */
  public String property(String group) {
    return GROUP_PREFIX + group + property.substring(PREFIX.length() - 1);
  }

  /** Whether the whole web application has one value, also with several groups. */
  public boolean isCommon() {
    return COMMON.contains(this);
  }

  /** Whether the replicas of a group may have different values. All other keys are the same on every replica. */
  public boolean isPerReplica() {
    return PER_REPLICA.contains(this);
  }

  /** The environment variable of a property. */
  static String variable(String property) {
    return property.toUpperCase(Locale.ROOT).replace('.', '_');
  }

  Range range() {
    return range;
  }

  public String meaning() {
    return meaning;
  }
}
