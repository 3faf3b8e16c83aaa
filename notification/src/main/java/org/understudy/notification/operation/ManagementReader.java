package org.understudy.notification.operation;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.xml.XMLConstants;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.understudy.notification.expression.Expression;
import org.understudy.notification.fault.NotificationFault;
import org.understudy.notification.fault.NotificationFaultType;
import org.understudy.notification.filter.SubscriptionFilter;
import org.understudy.notification.message.NotifyNames;
import org.understudy.notification.subscription.RequestedTermination;
import org.understudy.notification.subscription.SubscribeRequest;
import org.understudy.notification.subscription.Subscription;
import org.understudy.notification.topic.TopicDialect;
import org.understudy.notification.topic.TopicExpression;
import org.understudy.soap.addressing.EndpointReference;
import org.understudy.soap.envelope.ReferenceReader;
import org.understudy.soap.envelope.RequestReader;
import org.understudy.soap.envelope.SoapFault;
import org.understudy.soap.envelope.XsBoolean;
import org.understudy.soap.xml.ElementText;
import org.understudy.soap.xml.HardenedXmlReader;

/**
 * Reads the bodies of requests (WS-BaseNotification 1.3, sections 3.2, 4.2, 4.3, 5.1.1, 6.1.1) from a reader positioned on
 * the element. Accepts an element's children in any order.
 */
public final class ManagementReader {
  private static final String WSNT = NotifyNames.NAMESPACE;
  private static final String XSI = XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI;

  private static final QName MESSAGE = new QName(WSNT, "Message");
  /** Reads again, without limits, what was already read within them. */

  private final RequestReader request;
  private final XMLStreamReader2 in;

  /** Creates a reader of this request's body. */
  public ManagementReader(RequestReader request) {
    this.request = request;
    this.in = request.reader();
  }

  /**
   * Reads a Subscribe, to the end of the document.
   *
   * @throws NotificationFault when the request causes a fault that the operation declares
   * @throws XMLStreamException when the document is not well-formed, or exceeds a limit
   */
  public SubscribeRequest subscribe() throws NotificationFault, XMLStreamException {
    EndpointReference consumer = null;
    List<SubscriptionFilter> filters = List.of();
    RequestedTermination termination = RequestedTermination.UNSPECIFIED;
    boolean raw = false;
    Set<QName> seen = new HashSet<>();
    request.noteScope();
    while (in.nextTag() == XMLStreamConstants.START_ELEMENT) {
      requireOnce(seen, NotificationFaultType.SUBSCRIBE_CREATION_FAILED);
      if (isWsnt("ConsumerReference")) {
        consumer = consumer();
      } else if (isWsnt("Filter")) {
        filters = filters();
      } else if (isWsnt("InitialTerminationTime")) {
        termination = termination(NotificationFaultType.UNACCEPTABLE_INITIAL_TERMINATION_TIME);
      } else if (isWsnt("SubscriptionPolicy")) {
        raw = policies();
      } else {
        in.skipElement();
      }
    }
    if (consumer == null) {
      throw NotificationFault.of(NotificationFaultType.SUBSCRIBE_CREATION_FAILED, "Subscribe has no ConsumerReference.");
    }
    request.readToEnd();
    return new SubscribeRequest(consumer, filters, raw, termination, request.version());
  }

  /** Reads a Renew, to the end of the document; throws as {@link #subscribe()}. */
  public RequestedTermination renew() throws NotificationFault, XMLStreamException {
    RequestedTermination termination = null;
    Set<QName> seen = new HashSet<>();
    while (in.nextTag() == XMLStreamConstants.START_ELEMENT) {
      requireOnce(seen, NotificationFaultType.UNACCEPTABLE_TERMINATION_TIME);
      if (isWsnt("TerminationTime")) {
        termination = termination(NotificationFaultType.UNACCEPTABLE_TERMINATION_TIME);
      } else {
        in.skipElement();
      }
    }
    if (termination == null) {
      throw NotificationFault.bounding(
          NotificationFaultType.UNACCEPTABLE_TERMINATION_TIME, "Renew has no TerminationTime.", null, null);
    }
    request.readToEnd();
    return termination;
  }

  /** Reads a GetCurrentMessage, to the end of the document; throws as {@link #subscribe()}. */
  public TopicExpression currentMessageTopic() throws NotificationFault, XMLStreamException {
    TopicExpression topic = null;
    Set<QName> seen = new HashSet<>();
    while (in.nextTag() == XMLStreamConstants.START_ELEMENT) {
      requireOnce(seen, NotificationFaultType.INVALID_TOPIC_EXPRESSION);
      if (isWsnt("Topic")) {
        topic = topicExpression();
      } else {
        in.skipElement();
      }
    }
    if (topic == null) {
      throw NotificationFault.of(NotificationFaultType.INVALID_TOPIC_EXPRESSION, "GetCurrentMessage has no Topic.");
    }
    request.readToEnd();
    return topic;
  }

  /**
   * Reads a GetMessages, to the end of the document.
   *
   * @return the maximum number of messages; 2,147,483,647 without a MaximumNumber or above it
   * @throws SoapFault when MaximumNumber is not an xs:nonNegativeInteger
   */
  public int maximumNumber() throws SoapFault, XMLStreamException {
    int max = Integer.MAX_VALUE;
    boolean seen = false;
    while (in.nextTag() == XMLStreamConstants.START_ELEMENT) {
      if (isWsnt("MaximumNumber")) {
        if (seen) {
          throw SoapFault.sender("GetMessages has two MaximumNumbers.");
        }
        seen = true;
        String text = in.getElementText().strip();
        if (!text.matches("\\+?\\d{1,64}|-0{1,64}")) {
          throw SoapFault.sender("MaximumNumber is not a non-negative integer.");
        }
        max = new BigInteger(text).min(BigInteger.valueOf(Integer.MAX_VALUE)).intValue();
      } else {
        in.skipElement();
      }
    }
    request.readToEnd();
    return max;
  }

  /**
   * Reads a Notify, to the end of the document.
   *
   * @param max messages
   * @return elements {@code wsnt:NotificationMessage} that declare every prefix they use
   * @throws SoapFault when there is no message, there are too many, or one has no content
   */
  public List<byte[]> notificationMessages(int max) throws SoapFault, XMLStreamException {
    List<byte[]> messages = new ArrayList<>();
    request.noteScope();
    while (in.nextTag() == XMLStreamConstants.START_ELEMENT) {
      if (isWsnt("NotificationMessage")) {
        if (messages.size() == max) {
          throw SoapFault.sender("The Notify holds more than " + max + " messages.");
        }
        messages.add(notificationMessage());
      } else {
        in.skipElement();
      }
    }
    if (messages.isEmpty()) {
      throw SoapFault.sender("The Notify holds no NotificationMessage.");
    }
    request.readToEnd();
    return messages;
  }

  private byte[] notificationMessage() throws SoapFault, XMLStreamException {
    byte[] copy = ElementText.copy(in, request.scope(), null).getBytes(StandardCharsets.UTF_8);
    XMLStreamReader2 again = HardenedXmlReader.openCopy(copy, copy.length);
    HardenedXmlReader.toRoot(again);
    int contents = 0;
    Set<QName> seen = new HashSet<>();
    while (again.nextTag() == XMLStreamConstants.START_ELEMENT) {
      if (WSNT.equals(again.getNamespaceURI()) && !seen.add(again.getName())) {
        throw SoapFault.sender("A NotificationMessage has two elements " + again.getLocalName() + ".");
      }
      if (again.getName().equals(MESSAGE)) {
        while (again.nextTag() == XMLStreamConstants.START_ELEMENT) {
          contents++;
          again.skipElement();
        }
      } else {
        again.skipElement();
      }
    }
    again.close();
    if (contents != 1) {
      throw SoapFault.sender("The Message of a NotificationMessage must hold exactly one element.");
    }
    return copy;
  }

  /** Rejects a second element of the same name, which only extensions may have. */
  private void requireOnce(Set<QName> seen, NotificationFaultType otherwise) throws NotificationFault {
    if (WSNT.equals(in.getNamespaceURI()) && !seen.add(in.getName())) {
      String why = "The request has two elements " + in.getLocalName() + ".";
      throw otherwise == NotificationFaultType.UNACCEPTABLE_TERMINATION_TIME
          ? NotificationFault.bounding(otherwise, why, null, null)
          : NotificationFault.of(otherwise, why);
    }
  }

  private EndpointReference consumer() throws NotificationFault, XMLStreamException {
    try {
      return ReferenceReader.readWhole(in, request.scope());
    } catch (IllegalArgumentException e) {
      throw NotificationFault.of(NotificationFaultType.SUBSCRIBE_CREATION_FAILED, e.getMessage());
    }
  }

  private List<SubscriptionFilter> filters() throws NotificationFault, XMLStreamException {
    List<SubscriptionFilter> filters = new ArrayList<>();
    List<QName> unknown = new ArrayList<>();
    while (in.nextTag() == XMLStreamConstants.START_ELEMENT) {
      QName name = in.getName();
      if (isWsnt("TopicExpression") || isWsnt("ProducerProperties") || isWsnt("MessageContent")) {
        boolean topics = isWsnt("TopicExpression");
        filters.add(SubscriptionFilter.of(name, expression(topics, invalid(name.getLocalPart()))));
      } else {
        unknown.add(name);
        in.skipElement();
      }
    }
    if (!unknown.isEmpty()) {
      throw NotificationFault.naming(
          NotificationFaultType.INVALID_FILTER, "Unknown filters: " + unknown + ".", unknown);
    }
    if (filters.size() > Subscription.MAX_FILTERS) {
      throw NotificationFault.naming(
          NotificationFaultType.INVALID_FILTER, "The Filter holds more than " + Subscription.MAX_FILTERS + " filters.",
          List.of(filters.get(Subscription.MAX_FILTERS).element()));
    }
    return filters;
  }

  private static NotificationFaultType invalid(String filter) {
    return switch (filter) {
      case "MessageContent" -> NotificationFaultType.INVALID_MESSAGE_CONTENT_EXPRESSION;
      case "ProducerProperties" -> NotificationFaultType.INVALID_PRODUCER_PROPERTIES_EXPRESSION;
      default -> NotificationFaultType.INVALID_TOPIC_EXPRESSION;
    };
  }

  private TopicExpression topicExpression() throws NotificationFault, XMLStreamException {
    return TopicDialect.parseOrFault(expression(true, NotificationFaultType.INVALID_TOPIC_EXPRESSION));
  }

  private Expression expression(boolean topics, NotificationFaultType otherwise) throws NotificationFault, XMLStreamException {
    String dialect = in.getAttributeValue(null, "Dialect");
    // The text is read before the prefixes are looked up: on the end tag they are still in scope.
    String text = ElementText.textAlone(in);
    if (text == null) {
      if (topics && dialect != null) {
        TopicDialect.require(dialect.strip());
      }
      throw NotificationFault.of(otherwise, "An expression of a known dialect must not hold elements.");
    }
    String unnamed = topics ? TopicDialect.ofUnnamed(text).uri() : "";
    try {
      return Expression.of(dialect == null ? unnamed : dialect.strip(), text, in.getNamespaceContext());
    } catch (IllegalArgumentException e) {
      throw NotificationFault.of(otherwise, e.getMessage());
    }
  }

  private RequestedTermination termination(NotificationFaultType otherwise) throws NotificationFault, XMLStreamException {
    boolean nil = XsBoolean.isTrue(in.getAttributeValue(XSI, "nil"));
    String text = ElementText.textAlone(in);
    try {
      return RequestedTermination.parse(text, nil);
    } catch (IllegalArgumentException e) {
      throw NotificationFault.bounding(otherwise, e.getMessage(), null, null);
    }
  }

  /** Whether messages are to be raw, the only supported policy. */
  private boolean policies() throws NotificationFault, XMLStreamException {
    List<QName> unknown = new ArrayList<>();
    boolean raw = false;
    while (in.nextTag() == XMLStreamConstants.START_ELEMENT) {
      if (isWsnt("UseRaw")) {
        raw = true;
      } else {
        unknown.add(in.getName());
      }
      in.skipElement();
    }
    if (!unknown.isEmpty()) {
      throw NotificationFault.naming(
          NotificationFaultType.UNRECOGNIZED_POLICY_REQUEST, "Unknown policies: " + unknown + ".", unknown);
    }
    return raw;
  }

  private boolean isWsnt(String name) {
    return name.equals(in.getLocalName()) && WSNT.equals(in.getNamespaceURI());
  }
}
