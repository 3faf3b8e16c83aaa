package org.understudy.notification;

import java.net.URI;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.notification.delivery.Deliveries;
import org.understudy.notification.delivery.DeliveryCounters;
import org.understudy.notification.delivery.Outbox;
import org.understudy.notification.fault.FaultType;
import org.understudy.notification.fault.NotificationFault;
import org.understudy.notification.message.Notification;
import org.understudy.notification.message.NotifyWriter;
import org.understudy.notification.subscription.EndReason;
import org.understudy.notification.subscription.Lifetimes;
import org.understudy.notification.subscription.RequestedTermination;
import org.understudy.notification.subscription.SubscribeRequest;
import org.understudy.notification.subscription.Subscription;
import org.understudy.notification.subscription.SubscriptionFilter;
import org.understudy.notification.subscription.SubscriptionListener;
import org.understudy.notification.subscription.TopicFilter;
import org.understudy.notification.topic.TopicExpression;
import org.understudy.notification.topic.TopicNamespace;
import org.understudy.notification.topic.TopicPath;
import org.understudy.notification.topic.TopicSet;

/**
 * A NotificationProducer and the manager of its subscriptions (WS-BaseNotification 1.3, sections 4 and 6), without SOAP.
 * Thread-safe. No method waits for a consumer; only {@link #close} waits, for threads.
 *
 * <p>Messages that one thread publishes reach a consumer in that order, each at least once, or the subscription ends.
 */
public final class NotificationProducer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NotificationProducer.class);
  private static final int ID_BYTES = 16;

  private final ProducerSettings settings;
  private final TopicSet topics;
  private final Lifetimes lifetimes;
  private final PublishedXml publishedXml;
  private final SecureRandom random = new SecureRandom();
  private final ScheduledThreadPoolExecutor timer;
  private final Deliveries deliveries;
  private final LongAdder published = new LongAdder();
  private final List<SubscriptionListener> listeners = new CopyOnWriteArrayList<>();

  /** Read by any thread; changed with {@link #changes} held, so that listeners hear of changes in order. */
  private final Map<String, Live> subscriptions = new ConcurrentHashMap<>();
  private final Object changes = new Object();
  private volatile boolean closed;

  /** A subscription and the messages on their way to its consumer. */
  private record Live(Subscription subscription, Outbox outbox) {}

  /**
   * Starts a producer and its threads.
   *
   * @param settings how it behaves
   * @param topics what can be subscribed to; topics added later count from then on
   */
  public NotificationProducer(ProducerSettings settings, TopicNamespace topics) {
    this.settings = settings;
    this.topics = TopicSet.of(topics);
    this.lifetimes = new Lifetimes(settings.defaultLifetime(), settings.maximumLifetime());
    this.publishedXml = new PublishedXml(settings.maximumMessageBytes());
    this.timer = new ScheduledThreadPoolExecutor(1, Deliveries.daemons("understudy-notify-timer-"));
    timer.setRemoveOnCancelPolicy(true);
    timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    this.deliveries = new Deliveries(settings.delivery(), timer, settings.maximumSubscriptions());
    long sweep = settings.sweepInterval().toNanos();
    timer.scheduleWithFixedDelay(this::sweep, sweep, sweep, TimeUnit.NANOSECONDS);
  }

  /** How it behaves. */
  public ProducerSettings settings() {
    return settings;
  }

  /**
   * Makes a subscription (section 4.2).
   *
   * @throws NotificationFault {@link FaultType#TOPIC_NOT_SUPPORTED} when an expression selects no topic here, {@link
   *     FaultType#UNACCEPTABLE_INITIAL_TERMINATION_TIME}, or {@link FaultType#SUBSCRIBE_CREATION_FAILED} when the
   *     consumer's address is not allowed, there are too many subscriptions, or the producer is closed
   */
  public Subscription subscribe(SubscribeRequest request) throws NotificationFault {
    checkAddress(request.consumer().address());
    for (SubscriptionFilter filter : request.filters()) {
      if (filter instanceof TopicFilter topicFilter) {
        checkTopic(topicFilter.expression());
      }
    }
    Instant now = settings.clock().instant();
    Optional<Instant> termination =
        lifetimes.grant(request.termination(), now, FaultType.UNACCEPTABLE_INITIAL_TERMINATION_TIME);
    Subscription subscription =
        new Subscription(newId(), request.consumer(), request.filters(), now, termination);
    synchronized (changes) {
      if (closed) {
        throw NotificationFault.of(FaultType.SUBSCRIBE_CREATION_FAILED, "The producer is closed.");
      }
      if (subscriptions.size() >= settings.maximumSubscriptions()) {
        throw NotificationFault.of(
            FaultType.SUBSCRIBE_CREATION_FAILED,
            "There are " + settings.maximumSubscriptions() + " subscriptions already, the most allowed.");
      }
      subscriptions.put(subscription.id(), new Live(subscription, outboxOf(subscription)));
      tell(listener -> listener.created(subscription));
    }
    LOG.debug("Subscription {} of {} until {}.", subscription.id(), subscription.consumer().address(), termination);
    return subscription;
  }

  /**
   * Puts a subscription of another producer in place, as it is: for replicas that take over. One with the same id is
   * replaced; what waits for its consumer is kept. Listeners are not told. Limits and addresses are not checked again.
   *
   * @throws IllegalStateException when the producer is closed
   */
  public void restore(Subscription subscription) {
    synchronized (changes) {
      if (closed) {
        throw new IllegalStateException("The producer is closed.");
      }
      subscriptions.compute(subscription.id(), (id, present) ->
          new Live(subscription, present == null ? outboxOf(subscription) : present.outbox()));
    }
  }

  /**
   * Gives a subscription a new termination time (section 6.1.1).
   *
   * @return the subscription as it is now
   * @throws NotificationFault {@link FaultType#RESOURCE_UNKNOWN} when there is none with this id, or no longer, or {@link
   *     FaultType#UNACCEPTABLE_TERMINATION_TIME}
   */
  public Subscription renew(String id, RequestedTermination requested) throws NotificationFault {
    synchronized (changes) {
      Instant now = settings.clock().instant();
      Live live = require(id, now);
      Subscription renewed =
          live.subscription().until(lifetimes.grant(requested, now, FaultType.UNACCEPTABLE_TERMINATION_TIME));
      subscriptions.put(id, new Live(renewed, live.outbox()));
      tell(listener -> listener.renewed(renewed));
      return renewed;
    }
  }

  /**
   * Ends a subscription (section 6.1.2). Messages that wait are dropped; one that is under way may still arrive.
   *
   * @throws NotificationFault {@link FaultType#RESOURCE_UNKNOWN} when there is none with this id, or no longer, or {@link
   *     FaultType#UNABLE_TO_DESTROY_SUBSCRIPTION} when the producer is closed
   */
  public void unsubscribe(String id) throws NotificationFault {
    synchronized (changes) {
      if (closed) {
        throw NotificationFault.of(FaultType.UNABLE_TO_DESTROY_SUBSCRIPTION, "The producer is closed.");
      }
      require(id, settings.clock().instant());
      end(id, EndReason.UNSUBSCRIBED);
    }
  }

  /**
   * Checks a request for the current message on a topic (section 4.3). Messages are not kept, so there never is one.
   *
   * @throws NotificationFault always: {@link FaultType#TOPIC_NOT_SUPPORTED} or {@link
   *     FaultType#NO_CURRENT_MESSAGE_ON_TOPIC}
   */
  public void currentMessage(TopicExpression topic) throws NotificationFault {
    checkTopic(topic);
    throw NotificationFault.of(FaultType.NO_CURRENT_MESSAGE_ON_TOPIC, "This producer keeps no messages.");
  }

  /**
   * Sends a message to every consumer that wants it. Returns when it is in their queues.
   *
   * @param messageXml one XML element in UTF-8 that declares every prefix it uses, without an XML declaration; read once to
   *     make sure; the array must not be changed afterwards
   * @return how many consumers want it
   * @throws IllegalArgumentException when the topic was not added, or the message is too long or not such an element
   * @throws IllegalStateException when the producer is closed
   */
  public int publish(TopicPath topic, byte[] messageXml) {
    if (!topics.contains(topic)) {
      throw new IllegalArgumentException("No topic here: " + topic + ".");
    }
    publishedXml.check(messageXml);
    if (closed) {
      throw new IllegalStateException("The producer is closed.");
    }
    published.increment();
    Notification notification = new Notification(topic, messageXml);
    Instant now = settings.clock().instant();
    int wanted = 0;
    for (Live live : subscriptions.values()) {
      if (!live.subscription().expiredAt(now) && live.subscription().accepts(notification)) {
        live.outbox().offer(notification);
        wanted++;
      }
    }
    return wanted;
  }

  /**
   * Adds a listener.
   *
   * @param listener hears of changes from now on
   */
  public void addListener(SubscriptionListener listener) {
    listeners.add(listener);
  }

  /** The subscriptions that have not ended, as of now, in no order. */
  public List<Subscription> subscriptions() {
    Instant now = settings.clock().instant();
    return subscriptions.values().stream().map(Live::subscription).filter(s -> !s.expiredAt(now)).toList();
  }

  /** Messages published since the start. */
  public long published() {
    return published.sum();
  }

  /** What became of them. */
  public DeliveryCounters counters() {
    return deliveries.counters();
  }

  /** Ends all threads and connections, within about ten seconds. What waits is lost; listeners are not told. */
  @Override
  public void close() {
    synchronized (changes) {
      closed = true;
      subscriptions.values().forEach(live -> live.outbox().close());
      subscriptions.clear();
    }
    timer.shutdownNow();
    deliveries.close();
  }

  private void checkAddress(URI address) throws NotificationFault {
    if (!address.isAbsolute() || !address.getScheme().equalsIgnoreCase("http")) {
      throw NotificationFault.of(
          FaultType.SUBSCRIBE_CREATION_FAILED, "Consumers are reached by http only, not at " + address + ".");
    }
    if (address.getHost() == null || address.getRawUserInfo() != null || address.getRawFragment() != null
        || address.getPort() == 0 || address.getPort() > 65_535) {
      throw NotificationFault.of(
          FaultType.SUBSCRIBE_CREATION_FAILED, "The consumer's address is no plain http address: " + address + ".");
    }
    if (!settings.allowedSinks().test(address)) {
      throw NotificationFault.of(
          FaultType.SUBSCRIBE_CREATION_FAILED, "Consumers on the host " + address.getHost() + " are not allowed.");
    }
  }

  private void checkTopic(TopicExpression expression) throws NotificationFault {
    if (!topics.offers(expression)) {
      throw NotificationFault.of(FaultType.TOPIC_NOT_SUPPORTED, "The expression selects no topic of this producer.");
    }
  }

  private Live require(String id, Instant now) throws NotificationFault {
    Live live = subscriptions.get(id);
    if (live == null || live.subscription().expiredAt(now)) {
      throw NotificationFault.of(FaultType.RESOURCE_UNKNOWN, "There is no such subscription, or no longer.");
    }
    return live;
  }

  private Outbox outboxOf(Subscription subscription) {
    NotifyWriter writer =
        NotifyWriter.of(subscription.consumer(), settings.address())
            .forSubscription(settings.managerAddress(subscription.id()));
    return deliveries.open(subscription.consumer(), writer, reason -> end(subscription.id(), reason));
  }

  private void sweep() {
    try {
      Instant now = settings.clock().instant();
      for (Live live : subscriptions.values()) {
        if (live.subscription().expiredAt(now)) {
          expire(live.subscription().id(), now);
        }
      }
      deliveries.closeIdleConnections();
    } catch (RuntimeException e) {
      // Thrown on, it would end all sweeping.
      LOG.error("Expired subscriptions could not be cleared away.", e);
    }
  }

  private void expire(String id, Instant now) {
    synchronized (changes) {
      Live live = subscriptions.get(id);
      if (live != null && live.subscription().expiredAt(now)) {
        end(id, EndReason.EXPIRED);
      }
    }
  }

  private void end(String id, EndReason reason) {
    synchronized (changes) {
      Live live = subscriptions.remove(id);
      if (live == null) {
        return;
      }
      live.outbox().close();
      if (reason == EndReason.OVERFLOW || reason == EndReason.UNDELIVERABLE) {
        LOG.warn("Subscription {} of {} ended: {}.", id, live.subscription().consumer().address(), reason);
      } else {
        LOG.debug("Subscription {} of {} ended: {}.", id, live.subscription().consumer().address(), reason);
      }
      tell(listener -> listener.ended(live.subscription(), reason));
    }
  }

  private void tell(Consumer<SubscriptionListener> news) {
    for (SubscriptionListener listener : listeners) {
      try {
        news.accept(listener);
      } catch (RuntimeException e) {
        LOG.error("A listener failed to take news of a subscription.", e);
      }
    }
  }

  private String newId() {
    byte[] id = new byte[ID_BYTES];
    random.nextBytes(id);
    return HexFormat.of().formatHex(id);
  }
}
