package org.understudy.counter.client;

import jakarta.xml.ws.wsaddressing.W3CEndpointReferenceBuilder;
import java.net.URI;
import java.time.Duration;
import javax.xml.XMLConstants;
import javax.xml.datatype.XMLGregorianCalendar;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.oasis_open.docs.wsn.b_2.FilterType;
import org.oasis_open.docs.wsn.b_2.ObjectFactory;
import org.oasis_open.docs.wsn.b_2.Renew;
import org.oasis_open.docs.wsn.b_2.RenewResponse;
import org.oasis_open.docs.wsn.b_2.Subscribe;
import org.oasis_open.docs.wsn.b_2.SubscribeResponse;
import org.oasis_open.docs.wsn.b_2.Unsubscribe;
import org.understudy.counter.client.contract.CounterPortType;
import org.understudy.counter.client.contract.subscription.SubscriptionManagerPortType;
import org.w3c.dom.Element;

/**
 * A subscription to a counter's topics Value and ResourceTermination (WS-BaseNotification 1.3). It is part of the service's
 * replicated state: when the primary dies, the next one continues to deliver, without a new subscription. For one thread.
 */
public final class ValueSubscription {
  private static final String WSNT = "http://docs.oasis-open.org/wsn/b-2";
  private static final String RL = "http://docs.oasis-open.org/wsrf/rl-2";
  private static final String FULL = "http://docs.oasis-open.org/wsn/t-1/TopicExpression/Full";

  private final SubscriptionManagerPortType manager;
  private final String lifetime;
  private Duration left;

  private ValueSubscription(SubscriptionManagerPortType manager, String lifetime, Duration left) {
    this.manager = manager;
    this.lifetime = lifetime;
    this.left = left;
  }

  static ValueSubscription open(CounterGroup group, CounterPortType counter, URI consumer, Duration lifetime)
      throws CounterException {
    Subscribe request = new Subscribe();
    request.setConsumerReference(new W3CEndpointReferenceBuilder().address(consumer.toString()).build());
    FilterType filter = new FilterType();
    filter.getAny().add(topic());
    request.setFilter(filter);
    request.setInitialTerminationTime(new ObjectFactory().createSubscribeInitialTerminationTime(lifetime.toString()));
    SubscribeResponse response = Calls.ask("The counter could not be watched", () -> counter.subscribe(request));
    return new ValueSubscription(
        group.subscription(response.getSubscriptionReference()),
        lifetime.toString(),
        between(response.getCurrentTime(), response.getTerminationTime(), lifetime));
  }

  /** Its value, and its end. As DOM, because a prefix in an element's text must be declared, and JAXB does not see it. */
  private static Element topic() {
    try {
      Element topic =
          DocumentBuilderFactory.newDefaultNSInstance().newDocumentBuilder().newDocument()
              .createElementNS(WSNT, "wsnt:TopicExpression");
      topic.setAttribute("Dialect", FULL);
      topic.setAttributeNS(XMLConstants.XMLNS_ATTRIBUTE_NS_URI, "xmlns:c", Counter.VALUE.getNamespaceURI());
      topic.setAttributeNS(XMLConstants.XMLNS_ATTRIBUTE_NS_URI, "xmlns:rl", RL);
      topic.setTextContent("c:" + Counter.VALUE.getLocalPart() + "|rl:ResourceTermination");
      return topic;
    } catch (ParserConfigurationException e) {
      throw new IllegalStateException("Every Java can make an empty document.", e);
    }
  }

  /** By the service's clock alone: the two need not agree with ours. */
  private static Duration between(XMLGregorianCalendar now, XMLGregorianCalendar end, Duration otherwise) {
    return now == null || end == null
        ? otherwise
        : Duration.between(now.toGregorianCalendar().toInstant(), end.toGregorianCalendar().toInstant());
  }

  /** How long the service has promised to keep the subscription, from its last answer on. */
  public Duration left() {
    return left;
  }

  /**
   * Requests another lifetime.
   *
   * @throws CounterException when the subscription has ended, or there is no answer
   */
  public void renew() throws CounterException {
    Renew request = new Renew();
    request.setTerminationTime(lifetime);
    RenewResponse response = Calls.ask("The subscription could not be renewed", () -> manager.renew(request));
    left = between(response.getCurrentTime(), response.getTerminationTime(), Duration.parse(lifetime));
  }

  /**
   * Ends the subscription. A message that is under way may still arrive.
   *
   * @throws CounterException when it had ended already, or there is no answer
   */
  public void unsubscribe() throws CounterException {
    Calls.ask("The subscription could not be ended", () -> manager.unsubscribe(new Unsubscribe()));
  }
}
