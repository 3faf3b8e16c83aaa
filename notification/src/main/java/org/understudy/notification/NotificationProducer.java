package org.understudy.notification;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.xml.stream.XMLStreamException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.notification.delivery.DeliveryCounters;
import org.understudy.notification.delivery.Dispatcher;
import org.understudy.notification.fault.NotificationFault;
import org.understudy.notification.fault.NotificationFaultType;
import org.understudy.notification.message.Notification;
import org.understudy.notification.operation.Operation;
import org.understudy.notification.operation.ProducerOperations;
import org.understudy.notification.operation.PropertyDocuments;
import org.understudy.notification.operation.SubscriptionOperations;
import org.understudy.notification.operation.SubscriptionRules;
import org.understudy.notification.operation.SubscriptionStore;
import org.understudy.notification.subscription.EndReason;
import org.understudy.notification.subscription.Lifetimes;
import org.understudy.notification.subscription.References;
import org.understudy.notification.subscription.Subscription;
import org.understudy.notification.subscription.SubscriptionListener;
import org.understudy.notification.subscription.SubscriptionParameter;
import org.understudy.notification.thread.RepeatedTask;
import org.understudy.notification.topic.TopicNamespace;
import org.understudy.notification.topic.TopicPath;
import org.understudy.notification.topic.TopicSet;
import org.understudy.soap.addressing.EndpointReference;
import org.understudy.soap.envelope.RequestReader;
import org.understudy.soap.envelope.SoapFault;

/**
 * A NotificationProducer and the manager of its subscriptions (WS-BaseNotification 1.3, sections 4 and 6) in one process:
 * subscriptions live in memory and end with it. Thread-safe. No method waits for a consumer; only {@link #close} waits, for
 * threads.
 *
 * <p>Messages that one thread publishes reach a consumer in that order, each at least once, or the subscription ends.
 */
public final class NotificationProducer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NotificationProducer.class);
  private static final String SERVICE = "";

  private final ProducerSettings settings;
  private final TopicSet topics;
  private final PublishedXml publishedXml;
  private final ProducerOperations producerOperations;
  private final SubscriptionOperations subscriptionOperations;
  private final Dispatcher dispatcher;
  private final List<SubscriptionListener> listeners = new CopyOnWriteArrayList<>();
  private final Map<TopicPath, byte[]> lastMessages = new ConcurrentHashMap<>();

  /** Read by any thread; changed with {@link #changes} held, so that listeners hear of changes in order. */
  private final Map<String, Subscription> subscriptions = new ConcurrentHashMap<>();
  private final Object changes = new Object();
  private final Object publishing = new Object();
  private volatile long published;
  private volatile boolean closed;

  /**
   * Starts a producer and its threads.
   *
   * @param settings how it behaves
   * @param topics what can be subscribed to; topics added later count from then on
   */
  public NotificationProducer(ProducerSettings settings, TopicNamespace topics) {
    this.settings = settings;
    this.topics = TopicSet.of(topics);
    this.publishedXml = new PublishedXml(settings.maximumMessageBytes());
    Lifetimes lifetimes = new Lifetimes(settings.defaultLifetime(), settings.maximumLifetime());
    SubscriptionRules rules =
        new SubscriptionRules(
            settings.maximumSubscriptions(), lifetimes, settings.allowedSinks(), consumer -> false, consumer -> false);
    Clock clock = settings.clock();
    References references = new Addresses();
    SubscriptionStore store = new Store();
    this.producerOperations =
        new ProducerOperations(
            rules, this.topics, references, store, (key, topic) -> Optional.ofNullable(lastMessages.get(topic)), clock);
    this.subscriptionOperations = new SubscriptionOperations(lifetimes, store, clock);
    this.dispatcher =
        new Dispatcher(
            settings.delivery(), clock, references, producer -> true, subscription -> Optional.empty(),
            (subscription, reason) -> end(subscription.id(), reason));
    long sweep = settings.sweepInterval().toNanos();
    dispatcher.timer().scheduleWithFixedDelay(
        new RepeatedTask("Clearing away expired subscriptions", this::sweep), sweep, sweep, TimeUnit.NANOSECONDS);
  }

  /** How it behaves. */
  public ProducerSettings settings() {
    return settings;
  }

  /**
   * Answers a request. Changes of subscriptions take place one after the other.
   *
   * @param subscriptionId which subscription it is for, where it is for one; null: it names none
   * @return the element that stands in the answer's Body; empty when the operation is not one of a producer or a
   *     subscription manager
   */
  public Optional<byte[]> answer(Operation operation, String subscriptionId, RequestReader request)
      throws NotificationFault, SoapFault, XMLStreamException {
    synchronized (changes) {
      if (closed) {
        throw NotificationFault.of(NotificationFaultType.RESOURCE_UNKNOWN, "The producer is closed.");
      }
      return Optional.ofNullable(switch (operation) {
        case SUBSCRIBE -> producerOperations.subscribe(SERVICE, request);
        case GET_CURRENT_MESSAGE -> producerOperations.getCurrentMessage(SERVICE, request);
        case RENEW -> subscriptionOperations.renew(subscriptionId, request);
        case UNSUBSCRIBE -> subscriptionOperations.unsubscribe(subscriptionId, request);
        case PAUSE_SUBSCRIPTION -> subscriptionOperations.pause(subscriptionId, request);
        case RESUME_SUBSCRIPTION -> subscriptionOperations.resume(subscriptionId, request);
        default -> null;
      });
    }
  }

  /**
   * Sends a message to every consumer that wants it. Returns when it is in their queues.
   *
   * @param messageXml one XML element in UTF-8 that declares every prefix it uses, without an XML declaration; read once to
   *     make sure; the array must not be changed afterwards
   * @return how many consumers want it, as far as topics tell
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
    byte[] properties = dispatcher.wantsProperties(SERVICE) ? PropertyDocuments.of(topics) : null;
    synchronized (publishing) {
      lastMessages.put(topic, messageXml);
      long position = published + 1;
      published = position;
      return dispatcher.publish(new Notification(SERVICE, topic, messageXml, position, properties));
    }
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
    return subscriptions.values().stream().filter(subscription -> !subscription.expiredAt(now)).toList();
  }

  /** Messages published since the start. */
  public long published() {
    return published;
  }

  /** What became of them. */
  public DeliveryCounters counters() {
    return dispatcher.counters();
  }

  /** Ends all threads and connections, within about ten seconds. What waits is lost; listeners are not told. */
  @Override
  public void close() {
    synchronized (changes) {
      closed = true;
      subscriptions.clear();
    }
    dispatcher.close();
  }

  private void sweep() {
    Instant now = settings.clock().instant();
    for (Subscription subscription : subscriptions.values()) {
      if (subscription.expiredAt(now)) {
        expire(subscription.id(), now);
      }
    }
  }

  private void expire(String id, Instant now) {
    synchronized (changes) {
      Subscription subscription = subscriptions.get(id);
      if (subscription != null && subscription.expiredAt(now)) {
        end(id, EndReason.EXPIRED);
      }
    }
  }

  private void end(String id, EndReason reason) {
    synchronized (changes) {
      Subscription subscription = subscriptions.remove(id);
      if (subscription != null) {
        dispatcher.remove(id);
        LOG.debug("Subscription {} of {} ended: {}.", id, subscription.consumer().address(), reason);
        tell(listener -> listener.ended(subscription, reason));
      }
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

  /** The subscriptions, for the operations; called with {@link #changes} held. */
  private final class Store implements SubscriptionStore {
    @Override
    public Subscription find(String id) {
      return subscriptions.get(id);
    }

    @Override
    public void put(Subscription subscription) {
      Subscription before = subscriptions.put(subscription.id(), subscription);
      dispatcher.put(subscription);
      tell(before == null
          ? listener -> listener.created(subscription)
          : listener -> listener.changed(subscription));
    }

    @Override
    public void remove(String id, EndReason why) {
      end(id, why);
    }

    @Override
    public int size() {
      return subscriptions.size();
    }

    @Override
    public long position() {
      return published;
    }
  }

  /** Where everything is found: below the producer's own address. */
  private final class Addresses implements References {
    @Override
    public EndpointReference producer(String key) {
      return EndpointReference.to(settings.address());
    }

    @Override
    public EndpointReference subscription(String id) {
      return new EndpointReference(
          settings.managerAddress(id), List.of(SubscriptionParameter.of(id)));
    }

    @Override
    public EndpointReference pullPoint(String id) {
      throw new UnsupportedOperationException("There are no pull points here.");
    }
  }
}
