package org.understudy.wsrf.notification;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import javax.xml.namespace.QName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.notification.delivery.DeliveryCounters;
import org.understudy.notification.delivery.Dispatcher;
import org.understudy.notification.delivery.Sink;
import org.understudy.notification.operation.CurrentMessages;
import org.understudy.notification.operation.Operation;
import org.understudy.notification.operation.ProducerOperations;
import org.understudy.notification.operation.PropertyDocuments;
import org.understudy.notification.operation.SubscriptionOperations;
import org.understudy.notification.operation.SubscriptionRules;
import org.understudy.notification.subscription.EndReason;
import org.understudy.notification.subscription.Subscription;
import org.understudy.notification.topic.TopicPath;
import org.understudy.notification.topic.TopicSet;
import org.understudy.replication.core.limit.KeyKind;
import org.understudy.replication.runtime.routing.Duties;
import org.understudy.replication.runtime.state.StateListener;
import org.understudy.soap.basefault.BaseFault;
import org.understudy.soap.basefault.DeclaredFault;
import org.understudy.soap.basefault.ResourceFaultType;
import org.understudy.soap.xml.ElementText;
import org.understudy.wsrf.contract.PublishedContracts;
import org.understudy.wsrf.lifetime.Lifetimes;
import org.understudy.wsrf.operation.Endpoint;
import org.understudy.wsrf.operation.Invocation;
import org.understudy.wsrf.property.ResourceDocument;
import org.understudy.wsrf.resource.InternalUpdates;
import org.understudy.wsrf.resource.Publisher;
import org.understudy.wsrf.resource.ResourceTransaction;
import org.understudy.wsrf.resource.Resources;
import org.understudy.wsrf.resource.UpdateListener;
import org.w3c.dom.Element;

/**
 * WS-BaseNotification 1.3 for a service or a broker: a NotificationProducer, a manager of its subscriptions, and pull
 * points. All of it is replicated state; see docs/design/notification.md.
 *
 * <p>More than 400 lines because one class answers for all operations of producer, manager and pull points. They are to
 * become one class each.
 */
public final class Notifications implements NotificationSink, Publisher, UpdateListener, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Notifications.class);
  /** The prefix of the last message's key; the key of a producer and a topic follow. */
  public static final String CURRENT = "current/";
  private static final int MAX_MESSAGE_CHARS = 1 << 20;

  private final NotificationSettings settings;
  private final InternalUpdates updates;
  private final Clock clock;
  private final Addresses addresses;
  private final ResourceDocument document;
  /** Producers beside the service, by their keys; filled at deployment. */
  private final Map<String, ResourceDocument> documents = new ConcurrentHashMap<>();
  private final ProducerTopics topics;
  private final SubscriptionRules rules;
  /** By their keys; filled at deployment. */
  private final Map<String, UnloggedProducer> unlogged = new ConcurrentHashMap<>();
  private final SubscriptionRules unloggedRules;
  private final Subscriptions subscriptions = new Subscriptions(producer -> !unlogged.containsKey(producer));
  private final PullPoints points;
  private final NotificationLog log;
  private final Predicate<URI> pullPoints;
  private final Endpoint manager = new Endpoint(Addresses.MANAGER, Subscriptions.KEYS);
  private final Endpoint createPullPoint = new Endpoint(Addresses.CREATE_PULL_POINT, "");
  private final Endpoint pullPoint = new Endpoint(Addresses.PULL_POINT, PullPoints.POINTS);

  /**
   * Makes the service a producer. Nothing is delivered before {@link #begin}.
   *
   * @param duties decide whether this replica delivers
   * @param service gets the operations of a producer
   * @param document of the service's resources; gets the properties of a producer
   * @param topics that can be subscribed to
   */
  public Notifications(
      NotificationSettings settings,
      Duties duties,
      Resources resources,
      InternalUpdates updates,
      Lifetimes lifetimes,
      Endpoint service,
      ResourceDocument document,
      ProducerTopics topics) {
    this.settings = settings;
    this.updates = updates;
    this.clock = resources.clocks().wall();
    this.addresses = new Addresses(settings.application(), resources);
    this.document = document;
    this.topics = topics;
    Set<String> own =
        settings.applications().stream()
            .map(application -> application + Addresses.PULL_POINT + "/")
            .collect(Collectors.toUnmodifiableSet());
    this.pullPoints = address -> own.stream().anyMatch(address.toString()::startsWith);
    SubscriptionRules elsewhere = settings.subscriptions();
    this.rules =
        rules(elsewhere, address -> pullPoints.test(address) || elsewhere.allowedSinks().test(address));
    // Messages in a pull point of this group are replicated one by one.
    this.unloggedRules =
        rules(elsewhere, address -> !pullPoints.test(address) && elsewhere.allowedSinks().test(address));
    this.points = new PullPoints(settings.pullPoints(), addresses, clock);
    this.log =
        new NotificationLog(
            subscriptions, this::dispatcher, updates, settings.keptMessages(), settings.keptBytes(), duties, this::end);
    lifetimes.end(PullPoints.POINTS, points::destroy);
    document.add(new TreeSource(ServiceTopics.producerProperties(), (transaction, now) -> PropertyDocuments.of(topics.all())));
    service.add(
        operation(
            Operation.SUBSCRIBE,
            (invocation, request) -> producer(invocation, topics.all()).subscribe(producerKey(invocation), request)));
    service.add(
        operation(
            Operation.GET_CURRENT_MESSAGE,
            (invocation, request) -> producer(invocation, topics.all()).getCurrentMessage(producerKey(invocation), request)));
    manage();
  }

  private SubscriptionRules rules(SubscriptionRules elsewhere, Predicate<URI> allowed) {
    return new SubscriptionRules(
        elsewhere.max(),
        elsewhere.lifetimes(),
        allowed,
        elsewhere.circular(),
        address -> !pullPoints.test(address) && elsewhere.servers().test(address));
  }

  /**
   * Makes an endpoint beside the service a producer too.
   *
   * @param endpoint of one resource; gets the operations of a producer
   * @param properties of that resource; get those of a producer
   * @param offered topics that can be subscribed to; no current message of a topic is kept
   */
  public void addProducer(Endpoint endpoint, ResourceDocument properties, TopicSet offered) {
    add(endpoint, properties, offered, invocation -> producer(invocation, offered));
  }

  /**
   * Makes an endpoint beside the service a producer whose messages are not stored. Its subscriptions are; pull points of
   * this group are refused as consumers, because their messages would be stored.
   *
   * @param endpoint of one resource; gets the operations of a producer
   * @param properties of that resource; get those of a producer
   * @param offered topics that can be subscribed to
   * @param current the current message of each topic
   */
  public UnloggedProducer addUnlogged(
      Endpoint endpoint, ResourceDocument properties, TopicSet offered, CurrentMessages current) {
    String key = endpoint.key(null);
    UnloggedProducer producer = new UnloggedProducer(key, offered, new Subscriptions(key::equals), this::dispatcher);
    unlogged.put(key, producer);
    add(
        endpoint, properties, offered,
        invocation ->
            new ProducerOperations(
                unloggedRules, named(offered), addresses, visited(invocation.transaction(), key), current, clock));
    return producer;
  }

  private void add(
      Endpoint endpoint, ResourceDocument properties, TopicSet offered, Function<Invocation, ProducerOperations> operations) {
    String key = endpoint.key(null);
    addresses.add(key, endpoint.path());
    documents.put(key, properties);
    properties.add(new TreeSource(ServiceTopics.producerProperties(), (transaction, now) -> PropertyDocuments.of(offered)));
    endpoint.add(
        operation(Operation.SUBSCRIBE, (invocation, request) -> operations.apply(invocation).subscribe(key, request)));
    endpoint.add(
        operation(
            Operation.GET_CURRENT_MESSAGE,
            (invocation, request) -> operations.apply(invocation).getCurrentMessage(key, request)));
  }

  private void manage() {
    manager.add(operation(Operation.RENEW, (at, request) -> managed(at).renew(at.resource(), request)));
    manager.add(operation(Operation.UNSUBSCRIBE, (at, request) -> managed(at).unsubscribe(at.resource(), request)));
    manager.add(operation(Operation.PAUSE_SUBSCRIPTION, (at, request) -> managed(at).pause(at.resource(), request)));
    manager.add(operation(Operation.RESUME_SUBSCRIPTION, (at, request) -> managed(at).resume(at.resource(), request)));
    createPullPoint.add(
        operation(Operation.CREATE_PULL_POINT, (at, request) -> points.operations(at.transaction()).create(request)));
    pullPoint.add(
        operation(
            Operation.GET_MESSAGES, (at, request) -> points.operations(at.transaction()).getMessages(at.resource(), request)));
    pullPoint.add(
        operation(
            Operation.DESTROY_PULL_POINT, (at, request) -> points.operations(at.transaction()).destroy(at.resource(), request)));
    pullPoint.add(
        operation(
            Operation.NOTIFY,
            (at, request) -> {
              points.operations(at.transaction()).notify(at.resource(), request);
              return null;
            }));
  }

  private NotificationOperation operation(Operation operation, NotificationOperation.Body body) {
    return new NotificationOperation(operation, settings.requestBytes(), body);
  }

  /**
   * The kinds of keys for all of this state.
   *
   * @param subscriptions at a time
   * @param subscriptionsSetting the name of that setting
   * @param pullPoints at a time
   * @param pullPointsSetting the name of that setting
   */
  public static List<KeyKind> kinds(
      int subscriptions, String subscriptionsSetting, int pullPoints, String pullPointsSetting) {
    return List.of(
        KeyKind.counted(Subscriptions.KEYS, "subscriptions", subscriptions, subscriptionsSetting),
        KeyKind.counted(PullPoints.POINTS, "pull points", pullPoints, pullPointsSetting),
        KeyKind.parts(PullPoints.MESSAGES, PullPoints.POINTS),
        KeyKind.parts(PullPoints.PROGRESS, PullPoints.POINTS),
        KeyKind.written(CURRENT),
        KeyKind.common(NotificationLog.MESSAGES + "/"),
        KeyKind.common("notifications/"));
  }

  /** The endpoint of the subscription manager. Its resources are the subscriptions. */
  public Endpoint manager() {
    return manager;
  }

  /** The endpoint at which pull points are created. */
  public Endpoint createPullPoint() {
    return createPullPoint;
  }

  /** The endpoint of pull points. */
  public Endpoint pullPoint() {
    return pullPoint;
  }

  /** The properties of a subscription: {@code wsnt:SubscriptionManagerRP} without those of its lifetime. */
  public ResourceDocument subscriptionDocument() {
    String wsnt = "http://docs.oasis-open.org/wsn/b-2";
    List<QName> names =
        List.of(
            new QName(wsnt, "ConsumerReference"),
            new QName(wsnt, "Filter"),
            new QName(wsnt, "SubscriptionPolicy"),
            new QName(wsnt, "CreationTime"));
    ResourceDocument properties =
        new ResourceDocument(
            new QName(PublishedContracts.NAMESPACE, "SubscriptionRP"),
            transaction -> transaction.key() != null && transaction.state(transaction.key()) != null,
            transaction -> addresses.subscription(transaction.key().substring(Subscriptions.KEYS.length())).address().toString());
    return properties.add(
        new TreeSource(
            names,
            (transaction, now) -> {
              String id = transaction.key().substring(Subscriptions.KEYS.length());
              return PropertyDocuments.of(visited(transaction, "").find(id), now);
            }));
  }

  /** The listeners of the replicated state, in this order. */
  public List<StateListener> followers() {
    List<StateListener> followers = new ArrayList<>(List.of(subscriptions, points, log));
    unlogged.values().forEach(producer -> followers.add(producer.subscriptions()));
    return followers;
  }

  /** Begins to deliver while that is the duty of this replica. The {@link #followers} must follow the state by then. */
  public void begin() {
    log.begin();
  }

  /**
   * Gauges by name: the numbers of subscriptions, pull points and kept messages; and, since this replica began to deliver,
   * deliveries, failed attempts, and subscriptions ended because the queue was full or the consumer could not be reached.
   */
  public Map<String, LongSupplier> meters() {
    Map<String, LongSupplier> meters = new LinkedHashMap<>();
    meters.put("subscriptions", this::size);
    meters.put("pullPoints", points::size);
    meters.put("messagesKept", log::kept);
    meters.put("notified", () -> log.counted(DeliveryCounters::delivered));
    meters.put("notificationAttemptsFailed", () -> log.counted(DeliveryCounters::failedAttempts));
    meters.put("consumersTooSlow", () -> log.counted(DeliveryCounters::overflows));
    meters.put("consumersUnreachable", () -> log.counted(DeliveryCounters::undeliverable));
    return meters;
  }

  // ------------------------------------------------------------------------------------------------ operations

  /** The key of the addressed resource; empty for the service. */
  private String producerKey(Invocation invocation) throws DeclaredFault {
    ResourceTransaction transaction = invocation.transaction();
    if (transaction.key() == null && invocation.resource() == null) {
      return "";
    }
    if (transaction.key() == null || !document.exists(transaction)) {
      throw BaseFault.of(
              ResourceFaultType.RESOURCE_UNKNOWN,
              invocation.now(),
              "The resource " + invocation.resource() + " is unknown: it was destroyed or never created.")
          .declared();
    }
    return transaction.key();
  }

  private ProducerOperations producer(Invocation invocation, TopicSet offered) {
    ResourceTransaction transaction = invocation.transaction();
    return new ProducerOperations(
        rules, named(offered), addresses, visited(transaction, ""),
        (producer, topic) -> current(transaction, producer, topic, invocation.now()), clock);
  }

  private Optional<byte[]> current(ResourceTransaction transaction, String producer, TopicPath topic, Instant now) {
    byte[] kept = transaction.state(currentKey(producer, topic));
    return kept != null ? Optional.of(kept) : topics.value(topic, transaction, now);
  }

  /** The key of the current message of a topic. */
  public static String currentKey(String producer, TopicPath topic) {
    return CURRENT + producer + "/" + topic;
  }

  private SubscriptionOperations managed(Invocation invocation) {
    ResourceTransaction transaction = invocation.transaction();
    Subscription subscription = transaction.key() == null ? null : visited(transaction, "").find(invocation.resource());
    String producer = subscription == null ? "" : subscription.producer();
    return new SubscriptionOperations(rules.lifetimes(), visited(transaction, producer), clock);
  }

  private TopicSet named(TopicSet offered) {
    return settings.localNames() ? offered.acceptingLocalNames() : offered;
  }

  /** @param producer whose messages have the positions; a producer that stores none has no positions in the log */
  private TransactionSubscriptions visited(ResourceTransaction transaction, String producer) {
    return new TransactionSubscriptions(transaction, this::size, () -> unlogged.containsKey(producer) ? 0 : log.position());
  }

  private int size() {
    int size = subscriptions.size();
    for (UnloggedProducer producer : unlogged.values()) {
      size += producer.subscriptions().size();
    }
    return size;
  }

  // ------------------------------------------------------------------------------------------------ publishing

  @Override
  public boolean wanted(ResourceTransaction transaction, String producer, QName topic) {
    return wanted(transaction, producer, new TopicPath(List.of(topic)));
  }

  private boolean wanted(ResourceTransaction transaction, String producer, TopicPath topic) {
    transaction.scan(Subscriptions.KEYS);
    return subscriptions.wanted(producer, topic);
  }

  @Override
  public void publish(ResourceTransaction transaction, String producer, QName topic, byte[] message) {
    append(transaction, producer, new TopicPath(List.of(topic)), message);
  }

  @Override
  public void publish(ResourceTransaction transaction, String topic, Element message) {
    TopicPath path = topics.declared(topic);
    String text = ElementText.of(message);
    if (text.length() > MAX_MESSAGE_CHARS) {
      throw new IllegalArgumentException(
          "The message on " + topic + " has " + text.length() + " characters; at most " + MAX_MESSAGE_CHARS + " are allowed.");
    }
    byte[] xml = text.getBytes(StandardCharsets.UTF_8);
    String producer = transaction.key() == null ? "" : transaction.key();
    transaction.put(currentKey(producer, path), xml);
    if (wanted(transaction, producer, path)) {
      append(transaction, producer, path, xml);
    }
  }

  /**
   * Forwards a message: all subscribers get it as the service's own, with a reference to its producer.
   *
   * @param origin an element {@code wsnt:ProducerReference} that declares every prefix it uses; null if unknown
   * @param message one element in the same form
   * @param kept whether it becomes the current message of its topic; otherwise there is none
   */
  public void passOn(ResourceTransaction transaction, TopicPath topic, byte[] origin, byte[] message, boolean kept) {
    if (!topic.equals(TopicPath.NONE)) {
      makeCurrent(transaction, currentKey("", topic), kept ? message : null);
    }
    if (wanted(transaction, "", topic)) {
      append(transaction, "", topic, message, origin);
    }
  }

  /** @param message null removes it */
  private static void makeCurrent(ResourceTransaction transaction, String key, byte[] message) {
    if (message != null) {
      transaction.put(key, message);
    } else if (transaction.state(key) != null) {
      transaction.remove(key);
    }
  }

  /** The subscriptions to stored messages. */
  public Subscriptions subscriptions() {
    return subscriptions;
  }

  private void append(ResourceTransaction transaction, String producer, TopicPath topic, byte[] message) {
    append(transaction, producer, topic, message, null);
  }

  private void append(ResourceTransaction transaction, String producer, TopicPath topic, byte[] message, byte[] origin) {
    byte[] properties = null;
    transaction.scan(Subscriptions.KEYS);
    ResourceDocument of = documents.getOrDefault(producer, document);
    if (subscriptions.wantsProperties(producer) && of.exists(transaction)) {
      properties = of.text(transaction, clock.instant()).getBytes(StandardCharsets.UTF_8);
    }
    transaction.append(NotificationLog.MESSAGES, new LogEntry(producer, topic, message, properties, origin).encode());
  }

  @Override
  public void onBegin(ResourceTransaction transaction) {
    // Its future messages are unknown.
  }

  /** The end of a resource removes the last messages on its topics and, once they have all messages, its subscriptions. */
  @Override
  public void beforeCapture(ResourceTransaction transaction) {
    if (transaction.isDestroyed()) {
      transaction.scan(Subscriptions.KEYS);
      if (!subscriptions.at(transaction.key()).isEmpty()) {
        transaction.append(EndedProducers.ENDED, transaction.key().getBytes(StandardCharsets.UTF_8));
      }
      for (TopicPath topic : topics.declared()) {
        String key = currentKey(transaction.key(), topic);
        if (transaction.state(key) != null) {
          transaction.remove(key);
        }
      }
    }
  }

  private Dispatcher dispatcher() {
    return new Dispatcher(
        settings.delivery(), clock, addresses, Notifications::isOfService, this::sink, (subscription,
            reason) -> end(subscription.id(), reason, () -> {}));
  }

  /** Entries, subscriptions and pull points notify only their own subscribers, not those of the service. */
  private static boolean isOfService(String producer) {
    return producer.indexOf('/') < 0;
  }

  private Optional<Sink> sink(Subscription subscription) {
    URI address = subscription.consumer().address();
    if (!pullPoints.test(address)) {
      return Optional.empty();
    }
    String text = address.toString();
    return Optional.of(new PullPointSink(points, text.substring(text.lastIndexOf('/') + 1), updates));
  }

  /** Ends a subscription on every replica without a request. */
  private void end(String id, EndReason reason, Runnable over) {
    updates.run(
        Subscriptions.KEYS + id,
        transaction -> {
          TransactionSubscriptions visited = visited(transaction, "");
          if (visited.find(id) == null) {
            return false;
          }
          visited.remove(id, reason);
          return true;
        },
        () -> {
          LOG.info("Subscription {} has ended: {}.", id, reason);
          over.run();
        },
        failure -> {
          // The replica that delivers by then detects it itself.
          LOG.debug("Subscription {} has not ended: {}", id, failure.sentence());
          over.run();
        });
  }

  @Override
  public void close() {
    log.close();
  }
}
