package org.understudy.broker;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.xml.namespace.QName;
import org.understudy.notification.expression.Expression;
import org.understudy.notification.fault.NotificationFault;
import org.understudy.notification.fault.NotificationFaultType;
import org.understudy.notification.topic.TopicDialect;
import org.understudy.notification.topic.TopicExpression;
import org.understudy.notification.topic.TopicPath;
import org.understudy.soap.addressing.EndpointReference;
import org.understudy.soap.xml.ElementScope;
import org.understudy.soap.xml.ElementText;
import org.understudy.soap.xml.Elements;
import org.w3c.dom.Element;

/**
 * A registered publisher (WS-BrokeredNotification 1.3, section 5). Stored as its resource property document.
 *
 * @param publisher null when the request has no PublisherReference
 * @param topics what it publishes on; empty when the request names none
 * @param demand whether it publishes only while there are subscribers
 */
record Registration(EndpointReference publisher, List<TopicExpression> topics, boolean demand) {
  static final String NAMESPACE = "http://docs.oasis-open.org/wsn/br-2";
  /** The prefix of a registration's key. */
  static final String KEYS = "registration/";
  static final List<QName> PROPERTIES =
      List.of(
          new QName(NAMESPACE, "PublisherReference"),
          new QName(NAMESPACE, "Topic"),
          new QName(NAMESPACE, "Demand"),
          new QName(NAMESPACE, "CreationTime"));

  private static final int MAX_TOPICS = 64;
  private static final int MAX_CHARACTERS = 64 << 10;

  Registration {
    topics = List.copyOf(topics);
  }

  /**
   * Reads a request, or a stored registration: both have the same elements.
   *
   * @throws NotificationFault {@link NotificationFaultType#INVALID_TOPIC_EXPRESSION} or {@link
   *     NotificationFaultType#PUBLISHER_REGISTRATION_FAILED}
   */
  static Registration of(Element written) throws NotificationFault {
    EndpointReference publisher = null;
    List<TopicExpression> topics = new ArrayList<>();
    boolean demand = false;
    for (Element element : Elements.children(written)) {
      QName name = Elements.name(element);
      if (name.equals(PROPERTIES.get(0))) {
        publisher = publisher(element);
      } else if (name.equals(PROPERTIES.get(1))) {
        topics.add(topic(element));
      } else if (name.equals(PROPERTIES.get(2))) {
        demand = truth(element.getTextContent().strip());
      }
    }
    if (topics.size() > MAX_TOPICS) {
      throw failed("A registration must name at most " + MAX_TOPICS + " topics.");
    }
    if (demand && (publisher == null || topics.isEmpty())) {
      throw failed(
          "A registration with Demand must have a PublisherReference and a Topic: the broker subscribes at the publisher.");
    }
    return new Registration(publisher, topics, demand);
  }

  /** Whether the publisher may send messages on this topic. */
  boolean permits(TopicPath topic) {
    return topics.isEmpty() || topics.stream().anyMatch(one -> one.selects(topic));
  }

  static NotificationFault failed(String why) {
    return NotificationFault.of(NotificationFaultType.PUBLISHER_REGISTRATION_FAILED, why);
  }

  private static EndpointReference publisher(Element reference) throws NotificationFault {
    try {
      return WrittenReference.read(reference);
    } catch (IllegalArgumentException e) {
      throw failed(e.getMessage());
    }
  }

  private static TopicExpression topic(Element element) throws NotificationFault {
    if (!Elements.children(element).isEmpty()) {
      throw NotificationFault.of(NotificationFaultType.INVALID_TOPIC_EXPRESSION,
          "A Topic holds an element. No supported dialect allows that.");
    }
    String text = element.getTextContent();
    String dialect =
        element.hasAttribute("Dialect") ? element.getAttribute("Dialect").strip() : TopicDialect.ofUnnamed(text).uri();
    try {
      return TopicDialect.parseOrFault(Expression.of(dialect, text, new ElementScope(element)));
    } catch (IllegalArgumentException e) {
      throw NotificationFault.of(NotificationFaultType.INVALID_TOPIC_EXPRESSION, e.getMessage());
    } catch (NotificationFault e) {
      // RegisterPublisher declares no fault of its own for an unsupported dialect.
      throw NotificationFault.of(NotificationFaultType.INVALID_TOPIC_EXPRESSION, e.getMessage());
    }
  }

  private static boolean truth(String text) throws NotificationFault {
    return switch (text) {
      case "true", "1" -> true;
      case "false", "0" -> false;
      default -> throw failed("Demand must be true or false, not '" + Elements.shortened(text) + "'.");
    };
  }

  /**
   * The bytes to store.
   *
   * @throws NotificationFault when they exceed the limit
   */
  byte[] kept(Element request, Instant created) throws NotificationFault {
    StringBuilder text = new StringBuilder(512);
    text.append("<br:PublisherRegistrationRP xmlns:br=\"").append(NAMESPACE).append("\">");
    for (Element element : Elements.children(request)) {
      QName name = Elements.name(element);
      if (name.equals(PROPERTIES.get(0)) || name.equals(PROPERTIES.get(1))) {
        ElementText.write(element, text);
      }
    }
    text.append("<br:Demand>").append(demand).append("</br:Demand><br:CreationTime>").append(created);
    text.append("</br:CreationTime></br:PublisherRegistrationRP>");
    if (text.length() > MAX_CHARACTERS) {
      throw failed("The registration has more than " + MAX_CHARACTERS + " characters.");
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }
}
