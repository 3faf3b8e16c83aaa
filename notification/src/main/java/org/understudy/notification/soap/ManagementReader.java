package org.understudy.notification.soap;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import javax.xml.XMLConstants;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.understudy.notification.addressing.Addressing;
import org.understudy.notification.addressing.EndpointReference;
import org.understudy.notification.fault.FaultType;
import org.understudy.notification.fault.NotificationFault;
import org.understudy.notification.message.NotifyNames;
import org.understudy.notification.subscription.RequestedTermination;
import org.understudy.notification.subscription.SubscribeRequest;
import org.understudy.notification.subscription.SubscriptionFilter;
import org.understudy.notification.subscription.TopicFilter;
import org.understudy.notification.topic.TopicDialect;
import org.understudy.notification.topic.TopicExpression;

/**
 * Reads the bodies of Subscribe, Renew and GetCurrentMessage (WS-BaseNotification 1.3, sections 4.2, 4.3, 6.1.1) from a
 * request that stands on the element. The order of an element's children is not insisted on.
 */
public final class ManagementReader {
  private static final String WSNT = NotifyNames.NAMESPACE;
  private static final String XSI = XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI;

  private final RequestEnvelope request;
  private final XMLStreamReader2 in;

  /** A reader of this request's body. */
  public ManagementReader(RequestEnvelope request) {
    this.request = request;
    this.in = request.reader();
  }

  /**
   * Reads a Subscribe, to the end of the document.
   *
   * @throws NotificationFault when it says what is declared a fault
   * @throws SoapFault when it has no ConsumerReference
   * @throws XMLStreamException when the document is not well-formed, or exceeds a limit
   */
  public SubscribeRequest subscribe() throws NotificationFault, SoapFault, XMLStreamException {
    EndpointReference consumer = null;
    List<SubscriptionFilter> filters = List.of();
    RequestedTermination termination = RequestedTermination.UNSPECIFIED;
    request.noteScope();
    while (in.nextTag() == XMLStreamConstants.START_ELEMENT) {
      if (isWsnt("ConsumerReference")) {
        consumer = consumer();
      } else if (isWsnt("Filter")) {
        filters = filters();
      } else if (isWsnt("InitialTerminationTime")) {
        termination = termination(FaultType.UNACCEPTABLE_INITIAL_TERMINATION_TIME);
      } else if (isWsnt("SubscriptionPolicy")) {
        refusePolicies();
      } else {
        in.skipElement();
      }
    }
    if (consumer == null) {
      throw SoapFault.sender("Subscribe has no ConsumerReference.");
    }
    request.readToEnd();
    return new SubscribeRequest(consumer, filters, termination);
  }

  /** Reads a Renew, to the end of the document; throws as {@link #subscribe()}. */
  public RequestedTermination renew() throws NotificationFault, SoapFault, XMLStreamException {
    RequestedTermination termination = null;
    while (in.nextTag() == XMLStreamConstants.START_ELEMENT) {
      if (isWsnt("TerminationTime")) {
        termination = termination(FaultType.UNACCEPTABLE_TERMINATION_TIME);
      } else {
        in.skipElement();
      }
    }
    if (termination == null) {
      throw SoapFault.sender("Renew has no TerminationTime.");
    }
    request.readToEnd();
    return termination;
  }

  /** Reads a GetCurrentMessage, to the end of the document; throws as {@link #subscribe()}. */
  public TopicExpression currentMessageTopic() throws NotificationFault, SoapFault, XMLStreamException {
    TopicExpression topic = null;
    while (in.nextTag() == XMLStreamConstants.START_ELEMENT) {
      if (isWsnt("Topic")) {
        topic = topicExpression();
      } else {
        in.skipElement();
      }
    }
    if (topic == null) {
      throw SoapFault.sender("GetCurrentMessage has no Topic.");
    }
    request.readToEnd();
    return topic;
  }

  private EndpointReference consumer() throws NotificationFault, SoapFault, XMLStreamException {
    URI address = null;
    List<String> parameters = new ArrayList<>();
    request.noteScope();
    while (in.nextTag() == XMLStreamConstants.START_ELEMENT) {
      if (in.getName().equals(new QName(Addressing.NAMESPACE, "Address"))) {
        address = address(in.getElementText().strip());
      } else if (in.getName().equals(new QName(Addressing.NAMESPACE, "ReferenceParameters"))) {
        request.noteScope();
        while (in.nextTag() == XMLStreamConstants.START_ELEMENT) {
          parameters.add(referenceParameter());
        }
      } else {
        in.skipElement();
      }
    }
    if (address == null) {
      throw SoapFault.sender("The ConsumerReference has no Address.");
    }
    return new EndpointReference(address, parameters);
  }

  private static URI address(String text) throws NotificationFault {
    try {
      return new URI(text);
    } catch (URISyntaxException e) {
      throw NotificationFault.of(FaultType.SUBSCRIBE_CREATION_FAILED, "The consumer's address is no URI.");
    }
  }

  private String referenceParameter() throws NotificationFault, XMLStreamException {
    String namespace = in.getNamespaceURI();
    if (Addressing.NAMESPACE.equals(namespace) || SoapVersion.ofNamespace(namespace) != null) {
      // As a header block it would change the meaning of the message that carries it.
      throw NotificationFault.of(
          FaultType.SUBSCRIBE_CREATION_FAILED, "A reference parameter may not be an element of SOAP or WS-Addressing.");
    }
    return ElementText.asReferenceParameter(in, request.scope());
  }

  private List<SubscriptionFilter> filters() throws NotificationFault, XMLStreamException {
    List<SubscriptionFilter> filters = new ArrayList<>();
    List<QName> unknown = new ArrayList<>();
    while (in.nextTag() == XMLStreamConstants.START_ELEMENT) {
      if (isWsnt("TopicExpression")) {
        filters.add(new TopicFilter(topicExpression()));
      } else {
        unknown.add(in.getName());
        in.skipElement();
      }
    }
    if (!unknown.isEmpty()) {
      throw NotificationFault.naming(
          FaultType.INVALID_FILTER, "Only TopicExpression filters are supported, not " + unknown + ".", unknown);
    }
    return filters;
  }

  private TopicExpression topicExpression() throws NotificationFault, XMLStreamException {
    String uri = in.getAttributeValue(null, "Dialect");
    TopicDialect dialect = TopicDialect.ofUri(uri == null ? null : uri.strip())
        .orElseThrow(() -> NotificationFault.of(
            FaultType.TOPIC_EXPRESSION_DIALECT_UNKNOWN,
            "The dialects of topic expressions spoken here are Simple, Concrete and Full of WS-Topics 1.3."));
    // The text is read before the prefixes are looked up: on the end tag they are still in scope.
    String text = in.getElementText();
    try {
      return dialect.parse(text, in.getNamespaceContext());
    } catch (IllegalArgumentException e) {
      throw NotificationFault.of(FaultType.INVALID_TOPIC_EXPRESSION, e.getMessage());
    }
  }

  private RequestedTermination termination(FaultType otherwise) throws NotificationFault, XMLStreamException {
    String nil = in.getAttributeValue(XSI, "nil");
    String text = in.getElementText();
    if (nil != null && (nil.strip().equals("true") || nil.strip().equals("1"))) {
      return RequestedTermination.NEVER;
    }
    try {
      return RequestedTermination.parse(text);
    } catch (IllegalArgumentException e) {
      throw NotificationFault.bounding(otherwise, e.getMessage(), null, null);
    }
  }

  private void refusePolicies() throws NotificationFault, XMLStreamException {
    List<QName> unknown = new ArrayList<>();
    List<QName> unsupported = new ArrayList<>();
    while (in.nextTag() == XMLStreamConstants.START_ELEMENT) {
      (isWsnt("UseRaw") ? unsupported : unknown).add(in.getName());
      in.skipElement();
    }
    if (!unknown.isEmpty()) {
      throw NotificationFault.naming(
          FaultType.UNRECOGNIZED_POLICY_REQUEST, "These policies are not known here: " + unknown + ".", unknown);
    }
    if (!unsupported.isEmpty()) {
      throw NotificationFault.naming(
          FaultType.UNSUPPORTED_POLICY_REQUEST, "Raw messages are not supported; they come in a Notify.", unsupported);
    }
  }

  private boolean isWsnt(String name) {
    return name.equals(in.getLocalName()) && WSNT.equals(in.getNamespaceURI());
  }
}
