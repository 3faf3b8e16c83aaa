package org.understudy.broker;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;
import javax.xml.XMLConstants;
import javax.xml.namespace.QName;
import org.understudy.notification.fault.NotificationFault;
import org.understudy.notification.fault.NotificationFaultType;
import org.understudy.notification.operation.ResourceIds;
import org.understudy.notification.subscription.Lifetimes;
import org.understudy.notification.subscription.RequestedTermination;
import org.understudy.notification.topic.TopicExpression;
import org.understudy.soap.basefault.DeclaredFault;
import org.understudy.soap.envelope.XsBoolean;
import org.understudy.soap.xml.Elements;
import org.understudy.wsrf.operation.Invocation;
import org.understudy.wsrf.property.ResourceDocument;
import org.understudy.wsrf.property.ResourceOperation;
import org.understudy.wsrf.resource.TerminationTime;
import org.w3c.dom.Element;

/** Registers a publisher (WS-BrokeredNotification 1.3, section 5.1). Without a termination time it stays until destroyed. */
final class RegisterPublisher extends ResourceOperation {
  /** For a requested time; the default is not used. */
  private static final Lifetimes LIFETIMES = new Lifetimes(Duration.ofDays(1), Optional.empty());

  private final BrokerTopics topics;
  private final Registrations registrations;
  private final Predicate<URI> allowed;
  private final Predicate<URI> own;
  private final int max;
  private final String application;

  /**
   * @param allowed where the broker may send its requests
   * @param own addresses of the broker itself
   * @param max registrations at a time
   * @param application the URL of this replica's web application
   */
  RegisterPublisher(
      ResourceDocument broker,
      BrokerTopics topics,
      Registrations registrations,
      Predicate<URI> allowed,
      Predicate<URI> own,
      int max,
      String application) {
    super(
        broker,
        new QName(Registration.NAMESPACE, "RegisterPublisher"),
        "http://docs.oasis-open.org/wsn/brw-2/RegisterPublisher/RegisterPublisherResponse",
        null);
    this.topics = topics;
    this.registrations = registrations;
    this.allowed = allowed;
    this.own = own;
    this.max = max;
    this.application = application;
  }

  @Override
  protected String answer(Invocation invocation) throws DeclaredFault {
    Element request = invocation.body();
    String id = ResourceIds.next();
    try {
      requireOnce(request, "PublisherReference", "Demand", "InitialTerminationTime");
      Registration registration = Registration.of(request);
      check(registration);
      Instant end = termination(request, invocation.now());
      String key = Registration.KEYS + id;
      invocation.transaction().put(key, registration.kept(request, invocation.now()));
      TerminationTime.set(invocation.transaction(), key, end);
    } catch (NotificationFault fault) {
      throw fault.declared(invocation.now());
    }
    return "<br:RegisterPublisherResponse xmlns:br=\"" + Registration.NAMESPACE + "\"><br:PublisherRegistrationReference>"
        + WrittenReference.to(application + NotificationBroker.REGISTRATIONS, id)
        + "</br:PublisherRegistrationReference><br:ConsumerReference>"
        + WrittenReference.to(application + NotificationBroker.PATH, id)
        + "</br:ConsumerReference></br:RegisterPublisherResponse>";
  }

  @Override
  public DeclaredFault unavailable(String sentence, Instant now) {
    return NotificationFault.of(NotificationFaultType.PUBLISHER_REGISTRATION_FAILED, sentence).declared(now);
  }

  private static void requireOnce(Element request, String... names) throws NotificationFault {
    for (String name : names) {
      QName once = new QName(Registration.NAMESPACE, name);
      if (Elements.children(request).stream().filter(child -> Elements.name(child).equals(once)).count() > 1) {
        throw Registration.failed("The request has two elements " + name + ".");
      }
    }
  }

  private void check(Registration registration) throws NotificationFault {
    for (TopicExpression topic : registration.topics()) {
      if (!topics.all().offers(topic)) {
        throw NotificationFault.of(
            NotificationFaultType.TOPIC_NOT_SUPPORTED,
            "This broker has no topic that " + topic.source().text().strip() + " selects.");
      }
    }
    if (registration.publisher() != null && own.test(registration.publisher().address())) {
      throw Registration.failed("The PublisherReference names this broker. Register the publisher's own address.");
    }
    if (registration.publisher() != null && !allowed.test(registration.publisher().address())) {
      throw rejected("Publishers on the host " + registration.publisher().address().getHost() + " are not allowed.");
    }
    if (registrations.all().size() >= max) {
      throw rejected("The broker has " + max + " registrations, the maximum.");
    }
  }

  private static NotificationFault rejected(String why) {
    return NotificationFault.of(NotificationFaultType.PUBLISHER_REGISTRATION_REJECTED, why);
  }

  /** Null: never. */
  private static Instant termination(Element request, Instant now) throws NotificationFault {
    Element initial = Elements.child(request, Registration.NAMESPACE, "InitialTerminationTime");
    if (initial == null) {
      return null;
    }
    RequestedTermination requested;
    try {
      boolean nil = XsBoolean.isTrue(initial.getAttributeNS(XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI, "nil"));
      requested = RequestedTermination.parse(Elements.text(initial), nil);
    } catch (IllegalArgumentException e) {
      throw NotificationFault.bounding(NotificationFaultType.UNACCEPTABLE_INITIAL_TERMINATION_TIME, e.getMessage(), now, null);
    }
    return LIFETIMES.grant(requested, now, NotificationFaultType.UNACCEPTABLE_INITIAL_TERMINATION_TIME).orElse(null);
  }
}
