package org.understudy.notification.servlet;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.xml.stream.XMLStreamException;
import org.understudy.notification.delivery.AllowedSinks;
import org.understudy.notification.delivery.DeliveryCounters;
import org.understudy.notification.delivery.DeliverySettings;
import org.understudy.notification.delivery.Dispatcher;
import org.understudy.notification.fault.NotificationFault;
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
import org.understudy.notification.topic.TopicNamespace;
import org.understudy.notification.topic.TopicPath;
import org.understudy.notification.topic.TopicSet;
import org.understudy.soap.addressing.EndpointReference;
import org.understudy.soap.envelope.RequestReader;
import org.understudy.soap.envelope.SoapFault;
import org.understudy.thread.DaemonThreads;

/**
 * A NotificationProducer and the manager of its subscriptions in memory, around the operations and the dispatcher that a
 * replica has too. Thread-safe. No method waits for a consumer; only {@link #close} waits, for threads.
 */
final class MemoryProducer implements AutoCloseable {
  private static final String SERVICE = "";
  private static final long SWEEP_MILLIS = 5;

  /** What differs from test to test. */
  static final class Settings {
    private DeliverySettings delivery = Door.quick();
    private int maximumSubscriptions = 1_000;
    private Optional<Duration> maximumLifetime = Optional.empty();

    Settings delivery(DeliverySettings settings) {
      delivery = settings;
      return this;
    }

    Settings maximumSubscriptions(int number) {
      maximumSubscriptions = number;
      return this;
    }

    Settings maximumLifetime(Duration lifetime) {
      maximumLifetime = Optional.of(lifetime);
      return this;
    }
  }

  private final String address;
  private final Clock clock;
  private final TopicSet topics;
  private final Consumer<EndReason> ends;
  private final ProducerOperations producerOperations;
  private final SubscriptionOperations subscriptionOperations;
  private final Dispatcher dispatcher;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(new DaemonThreads("expiry-"));
  private final Map<TopicPath, byte[]> lastMessages = new ConcurrentHashMap<>();
  /** Guarded by this; read by any thread. */
  private final Map<String, Subscription> subscriptions = new ConcurrentHashMap<>();
  /** Guarded by this. */
  private long published;

  /**
   * Starts a producer and its threads.
   *
   * @param clock that termination times are compared with
   * @param ends gets the reason when a subscription has ended
   */
  MemoryProducer(String address, Clock clock, Settings settings, TopicNamespace topics, Consumer<EndReason> ends) {
    this.address = address;
    this.clock = clock;
    this.topics = TopicSet.of(topics);
    this.ends = ends;
    Lifetimes lifetimes = new Lifetimes(Duration.ofHours(1), settings.maximumLifetime);
    SubscriptionRules rules =
        new SubscriptionRules(
            settings.maximumSubscriptions, lifetimes, AllowedSinks.loopback(), consumer -> false, consumer -> false);
    References references = new Addresses();
    SubscriptionStore store = new Store();
    this.producerOperations =
        new ProducerOperations(
            rules, this.topics, references, store, (key, topic) -> Optional.ofNullable(lastMessages.get(topic)), clock);
    this.subscriptionOperations = new SubscriptionOperations(lifetimes, store, clock);
    this.dispatcher =
        new Dispatcher(
            settings.delivery, clock, references, producer -> true, subscription -> Optional.empty(),
            (subscription, reason) -> end(subscription.id(), reason));
    timer.scheduleWithFixedDelay(this::sweep, SWEEP_MILLIS, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
  }

  Instant now() {
    return clock.instant();
  }

  /**
   * Answers a request.
   *
   * @param id of the subscription that it is for, where it is for one
   * @return the element in the answer's Body; empty when the operation is not one of a producer or a subscription manager
   */
  synchronized Optional<byte[]> answer(Operation operation, String id, RequestReader request)
      throws NotificationFault, SoapFault, XMLStreamException {
    return Optional.ofNullable(switch (operation) {
      case SUBSCRIBE -> producerOperations.subscribe(SERVICE, request);
      case GET_CURRENT_MESSAGE -> producerOperations.getCurrentMessage(SERVICE, request);
      case RENEW -> subscriptionOperations.renew(id, request);
      case UNSUBSCRIBE -> subscriptionOperations.unsubscribe(id, request);
      case PAUSE_SUBSCRIPTION -> subscriptionOperations.pause(id, request);
      case RESUME_SUBSCRIPTION -> subscriptionOperations.resume(id, request);
      default -> null;
    });
  }

  /** Sends a message to every consumer that wants it; returns how many want it, as far as topics tell. */
  synchronized int publish(TopicPath topic, byte[] message) {
    byte[] properties = dispatcher.wantsProperties(SERVICE) ? PropertyDocuments.of(topics) : null;
    lastMessages.put(topic, message);
    return dispatcher.publish(new Notification(SERVICE, topic, message, ++published, properties));
  }

  /** Those that have not ended. */
  List<Subscription> subscriptions() {
    Instant now = now();
    return subscriptions.values().stream().filter(subscription -> !subscription.expiredAt(now)).toList();
  }

  DeliveryCounters counters() {
    return dispatcher.counters();
  }

  @Override
  public void close() {
    timer.shutdownNow();
    dispatcher.close();
  }

  private void sweep() {
    Instant now = now();
    for (Subscription subscription : subscriptions.values()) {
      synchronized (this) {
        Subscription present = subscriptions.get(subscription.id());
        if (present != null && present.expiredAt(now)) {
          end(present.id(), EndReason.EXPIRED);
        }
      }
    }
  }

  private synchronized void end(String id, EndReason reason) {
    if (subscriptions.remove(id) != null) {
      dispatcher.remove(id);
      ends.accept(reason);
    }
  }

  /** The subscriptions, for the operations; called in the producer's exclusion. */
  private final class Store implements SubscriptionStore {
    @Override
    public Subscription find(String id) {
      return subscriptions.get(id);
    }

    @Override
    public void put(Subscription subscription) {
      subscriptions.put(subscription.id(), subscription);
      dispatcher.put(subscription);
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
      return EndpointReference.to(URI.create(address));
    }

    @Override
    public EndpointReference subscription(String id) {
      return new EndpointReference(
          URI.create(address + "/subscriptions/" + id), List.of(SubscriptionParameter.of(id)));
    }

    @Override
    public EndpointReference pullPoint(String id) {
      throw new UnsupportedOperationException("There are no pull points here.");
    }
  }
}
