package org.understudy.broker;

import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamException;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.configuration.Key;
import org.understudy.container.configuration.OwnServers;
import org.understudy.container.deployment.PublicationContext;
import org.understudy.notification.delivery.AllowedSinks;
import org.understudy.notification.fault.NotificationFault;
import org.understudy.notification.operation.ManagementReader;
import org.understudy.notification.operation.Operation;
import org.understudy.notification.topic.TopicPath;
import org.understudy.replication.core.limit.KeyKind;
import org.understudy.replication.runtime.Replica;
import org.understudy.soap.addressing.Addressing;
import org.understudy.soap.addressing.EndpointReference;
import org.understudy.soap.basefault.BaseFault;
import org.understudy.soap.basefault.DeclaredFault;
import org.understudy.soap.basefault.ResourceFaultType;
import org.understudy.soap.envelope.RequestReader;
import org.understudy.soap.envelope.SoapFault;
import org.understudy.soap.xml.Elements;
import org.understudy.wsrf.contract.Property;
import org.understudy.wsrf.contract.PublishedContracts;
import org.understudy.wsrf.lifetime.Lifetimes;
import org.understudy.wsrf.notification.NotificationOperation;
import org.understudy.wsrf.notification.Notifications;
import org.understudy.wsrf.notification.TreeSource;
import org.understudy.wsrf.operation.Endpoint;
import org.understudy.wsrf.operation.Invocation;
import org.understudy.wsrf.property.PropertyOperations;
import org.understudy.wsrf.property.PropertySource;
import org.understudy.wsrf.property.ResourceDocument;
import org.understudy.wsrf.resource.InternalUpdates;
import org.understudy.wsrf.resource.ResourceTransaction;
import org.understudy.wsrf.resource.Resources;
import org.w3c.dom.Element;

/**
 * The broker (WS-BrokeredNotification 1.3): a NotificationConsumer that forwards messages to its subscribers, a
 * NotificationProducer, and a registry of publishers. A Notify is one update: its messages are published atomically, and it
 * is answered when they are stable.
 */
public final class NotificationBroker implements AutoCloseable {
  /** The path of the broker; a publisher with a registration sends to this path followed by its id. */
  public static final String PATH = "/services/NotificationBroker";
  /** The path at which registrations are managed. */
  public static final String REGISTRATIONS = "/services/PublisherRegistrationManager";
  /** The prefix of a registration's key in the replicated state. */
  public static final String REGISTRATION_KEYS = Registration.KEYS;

  private static final QName REQUIRES_REGISTRATION = new QName(Registration.NAMESPACE, "RequiresRegistration");
  private static final int MAX_MESSAGES = 1_000;

  private final Replica replica;
  private final boolean requiresRegistration;
  private final Endpoint endpoint = new Endpoint(PATH, Registration.KEYS);
  private final Endpoint manager = new Endpoint(REGISTRATIONS, Registration.KEYS);
  private final BrokerTopics topics;
  private final Registrations registrations = new Registrations();
  private final ResourceDocument document;
  private final ResourceDocument registrationDocument;
  private final LoopDetector loops;
  private final Notifications notifications;
  private final DemandPublishing demand;

  /**
   * Does nothing before {@link #begin}.
   *
   * @throws IllegalArgumentException when the configured topics cannot be read
   */
  public NotificationBroker(
      PublicationContext context, Resources resources, InternalUpdates updates, Lifetimes lifetimes) {
    Configuration configuration = context.configuration();
    this.replica = context.replica();
    this.requiresRegistration = configuration.brokerRequiresRegistration();
    this.topics = new BrokerTopics(configuration.brokerTopics(), configuration.brokerTopicLifetime(), replica.clocks().wall());
    lifetimes.end(BrokerTopics.KEYS, BrokerTopics::end);
    String application = configuration.clientUrl(configuration.self()).toString();
    OwnAddresses own =
        new OwnAddresses(
            configuration.allUrls().stream().map(url -> URI.create(url + PATH)).toList());
    this.loops = new LoopDetector(own, application + PATH);
    this.document =
        new ResourceDocument(
            new QName(PublishedContracts.NAMESPACE, "NotificationBrokerRP"),
            transaction -> transaction.key() == null,
            transaction -> application + PATH);
    this.notifications =
        new Notifications(
            context.notificationSettings(own), replica.duties(), resources, updates, lifetimes, endpoint, document, topics);
    document.add(new BrokerProperties()).acceptLocalNames(configuration.localNames());
    PropertyOperations.addReads(endpoint, document);
    Predicate<URI> allowed =
        OwnServers.of(configuration).without(AllowedSinks.only(configuration.consumerHosts()));
    endpoint.add(
        new RegisterPublisher(
            document, topics, registrations, allowed, own, KeyKind.REACH * configuration.brokerRegistrations(),
            application));
    endpoint.add(new NotificationOperation(Operation.NOTIFY, configuration.requestBytes(), this::take));
    this.registrationDocument =
        new ResourceDocument(
            new QName(PublishedContracts.NAMESPACE, "PublisherRegistrationRP"),
            NotificationBroker::isRegistration,
            transaction -> application + REGISTRATIONS + "/" + transaction.key().substring(Registration.KEYS.length()));
    registrationDocument
        .add(new TreeSource(Registration.PROPERTIES, (transaction, now) -> transaction.state(transaction.key())))
        .acceptLocalNames(configuration.localNames());
    PropertyOperations.addReads(manager, registrationDocument);
    manager.add(new DestroyRegistration(registrationDocument, lifetimes));
    this.demand =
        new DemandPublishing(
            replica, configuration.self(), updates, registrations, notifications.subscriptions(), allowed,
            configuration.trust(), application + PATH);
  }

  private static boolean isRegistration(ResourceTransaction transaction) {
    return transaction.key() != null && transaction.state(transaction.key()) != null;
  }

  /** The kinds of keys for the state that a producer does not have. */
  public static List<KeyKind> kinds(Configuration configuration) {
    return List.of(
        KeyKind.counted(
            Registration.KEYS, "registrations", configuration.brokerRegistrations(), Key.BROKER_REGISTRATIONS.property()),
        KeyKind.counted(BrokerTopics.KEYS, "topics", BrokerTopics.MAX_TOPICS, Key.BROKER_TOPICS.property()));
  }

  /** The broker's endpoint. */
  public Endpoint endpoint() {
    return endpoint;
  }

  public ResourceDocument document() {
    return document;
  }

  /** The endpoint of registrations. */
  public Endpoint manager() {
    return manager;
  }

  public ResourceDocument registrationDocument() {
    return registrationDocument;
  }

  /** The producer part of the broker. */
  public Notifications notifications() {
    return notifications;
  }

  /** Gauges by name: those of its notifications, and the number of messages that returned and were dropped. */
  public Map<String, LongSupplier> meters() {
    Map<String, LongSupplier> meters = notifications.meters();
    meters.put("messagesThatCameBack", loops::ended);
    return meters;
  }

  /** Begins to follow the state and, while these are duties of this replica, to deliver and to subscribe at publishers. */
  public void begin() {
    replica.observe(topics);
    replica.observe(registrations);
    notifications.followers().forEach(replica::observe);
    notifications.begin();
    // After the subscriptions, so that their table is up to date.
    demand.begin();
  }

  /** Notify: one-way, only faults are returned. */
  private byte[] take(Invocation invocation, RequestReader request)
      throws NotificationFault, SoapFault, XMLStreamException, DeclaredFault {
    ResourceTransaction transaction = invocation.transaction();
    boolean registered = isRegistration(transaction);
    if (!registered && invocation.resource() != null) {
      throw BaseFault.of(
              ResourceFaultType.RESOURCE_UNKNOWN,
              invocation.now(),
              "The registration " + Elements.shortened(invocation.resource())
                  + " is unknown: it was destroyed or never created. Register again.")
          .declared();
    }
    List<BrokeredMessage> messages = new ArrayList<>();
    for (byte[] message : new ManagementReader(request).notificationMessages(MAX_MESSAGES)) {
      messages.add(BrokeredMessage.of(message));
    }
    for (BrokeredMessage message : messages) {
      Element origin = message.origin() == null ? null : origin(message.origin());
      if (origin != null && loops.closedBy(origin)) {
        continue;
      }
      if (registered || requiresRegistration) {
        requireRegistration(registered ? registrations.at(transaction.key()) : registeredBy(transaction, origin), message.topic());
      }
      topics.use(message.topic(), transaction);
      notifications.passOn(
          transaction, message.topic(), origin == null ? null : loops.passed(message.origin()), message.content(),
          topics.hasRoom(message.topic(), message.content().length));
    }
    return null;
  }

  /** A ProducerReference as far as one can be kept, see {@link EndpointReference}. */
  private static Element origin(byte[] written) throws SoapFault {
    if (written.length > EndpointReference.MAX_WRITTEN_CHARS) {
      throw SoapFault.sender(
          "A ProducerReference has " + written.length + " bytes, more than the " + EndpointReference.MAX_WRITTEN_CHARS
              + " allowed.");
    }
    try {
      return Elements.readForeign(written);
    } catch (IllegalArgumentException e) {
      throw SoapFault.sender("A ProducerReference is invalid: " + e.getMessage());
    }
  }

  private List<Registration> registeredBy(ResourceTransaction transaction, Element origin) {
    Element address = origin == null ? null : Elements.child(origin, Addressing.NAMESPACE, "Address");
    transaction.scan(Registration.KEYS);
    return address == null ? List.of() : registrations.of(address.getTextContent().strip());
  }

  /** @param publisher the registrations of the publisher, one of which must permit the topic */
  private static void requireRegistration(List<Registration> publisher, TopicPath topic) throws SoapFault {
    if (publisher.isEmpty()) {
      throw SoapFault.sender(
          "This broker accepts messages from registered publishers only. Call RegisterPublisher and send to the "
              + "ConsumerReference of its response.");
    }
    if (publisher.stream().noneMatch(registration -> registration.permits(topic))) {
      String what = topic.equals(TopicPath.NONE) ? "messages without a topic" : "the topic " + Elements.shortened(topic.toString());
      throw SoapFault.sender(
          "The registration of the publisher does not include " + what + ". Call RegisterPublisher with that topic, or with none for any.");
    }
  }

  @Override
  public void close() {
    demand.close();
    notifications.close();
  }

  /** The properties that a broker has in addition to a producer (WS-BrokeredNotification 1.3, section 4). */
  private final class BrokerProperties implements PropertySource {
    @Override
    public List<QName> names() {
      return List.of(REQUIRES_REGISTRATION);
    }

    @Override
    public Property describe(QName name) {
      return new Property(name, null, false, false);
    }

    @Override
    public void append(QName name, ResourceTransaction transaction, Instant now, StringBuilder to) {
      to.append("<br:RequiresRegistration xmlns:br=\"").append(Registration.NAMESPACE).append("\">");
      to.append(requiresRegistration).append("</br:RequiresRegistration>");
    }
  }
}
