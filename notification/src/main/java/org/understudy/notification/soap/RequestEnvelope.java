package org.understudy.notification.soap;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.understudy.soap.envelope.MessageProperties;
import org.understudy.soap.envelope.RequestHeader;
import org.understudy.soap.envelope.SoapFault;
import org.understudy.soap.envelope.SoapVersion;
import org.understudy.soap.xml.ElementText;
import org.understudy.soap.xml.HardenedXmlReader;

/**
 * A SOAP request being read: its header is known, the reader stands on the element in its body. One thread, one pass.
 * Actions are not looked at: the element in the body says what is asked for.
 */
public final class RequestEnvelope {
  /** The reference parameter with a subscription's id, the same as the last step of its address. */
  public static final QName SUBSCRIPTION_ID =
      new QName("urn:understudy:notification:1", "SubscriptionId", "un");

  /** What a container of producers reads itself, before the request comes here. */
  private static final String CONTAINER = "urn:understudy:replication:1";
  private static final Set<QName> KNOWN =
      Set.of(SUBSCRIPTION_ID, new QName(CONTAINER, "ReplicationHeader"), new QName(CONTAINER, "ResourceId"));

  private final XMLStreamReader2 in;
  private final SoapVersion assumed;
  private final Map<String, String> scope = new HashMap<>();
  private SoapVersion version;
  private MessageProperties properties = MessageProperties.UNUSED;
  private String subscriptionId;
  private QName operation;

  private RequestEnvelope(XMLStreamReader2 in, SoapVersion assumed) {
    this.in = in;
    this.assumed = assumed;
  }

  /** The reference parameter {@link #SUBSCRIPTION_ID} of a subscription, as an element. */
  public static String subscriptionParameter(String id) {
    return "<un:SubscriptionId xmlns:un=\"" + SUBSCRIPTION_ID.getNamespaceURI() + "\">" + id + "</un:SubscriptionId>";
  }

  /** A request of which nothing was read yet. */
  public static RequestEnvelope of(XMLStreamReader2 in) {
    return of(in, SoapVersion.SOAP11);
  }

  /** The same, of a version that the transport's media type announces. */
  public static RequestEnvelope of(XMLStreamReader2 in, SoapVersion assumed) {
    return new RequestEnvelope(in, assumed);
  }

  /**
   * Reads up to the element in the body.
   *
   * @throws SoapFault when it is no SOAP envelope, or a header block that must be understood is not known here
   * @throws XMLStreamException when it is not well-formed, or exceeds a limit
   */
  public void readToOperation() throws SoapFault, XMLStreamException {
    HardenedXmlReader.toRoot(in);
    version = SoapVersion.ofNamespace(in.getNamespaceURI());
    if (version == null || !in.getLocalName().equals("Envelope")) {
      throw SoapFault.versionMismatch();
    }
    noteScope();
    in.nextTag();
    RequestHeader header = new RequestHeader(version, KNOWN);
    if (isSoap("Header")) {
      while (in.nextTag() == XMLStreamConstants.START_ELEMENT) {
        if (header.read(in)) {
          // It has been read.
        } else if (SUBSCRIPTION_ID.equals(in.getName())) {
          subscriptionId = in.getElementText().strip();
        } else {
          in.skipElement();
        }
      }
      in.nextTag();
    }
    properties = header.properties();
    if (!header.notUnderstood().isEmpty()) {
      throw SoapFault.notUnderstood(header.notUnderstood());
    }
    if (!isSoap("Body")) {
      throw SoapFault.sender("The envelope has no Body where one is due.");
    }
    noteScope();
    if (in.nextTag() != XMLStreamConstants.START_ELEMENT) {
      throw SoapFault.sender("The Body is empty.");
    }
    operation = in.getName();
  }

  /** Reads to the end: a request that was cut off must not be carried out. */
  public void readToEnd() throws XMLStreamException {
    while (in.hasNext()) {
      in.next();
    }
  }

  /** Remembers the prefixes declared on the element where the reader stands, for subtrees to be copied later. */
  public void noteScope() {
    ElementText.noteScope(in, scope);
  }

  /** Every prefix noted so far, and its namespace. */
  public Map<String, String> scope() {
    return scope;
  }

  /** Where the reading is. */
  public XMLStreamReader2 reader() {
    return in;
  }

  /** The version; the assumed one while it is not known. */
  public SoapVersion version() {
    return version == null ? assumed : version;
  }

  /** {@code wsa:MessageID}; null when there was none. */
  public String messageId() {
    return properties.messageId();
  }

  /** WS-Addressing's properties; not checked yet. */
  public MessageProperties properties() {
    return properties;
  }

  /** The reference parameter {@link #SUBSCRIPTION_ID}; null when there was none. */
  public String subscriptionId() {
    return subscriptionId;
  }

  /** The name of the element in the body. */
  public QName operation() {
    return operation;
  }

  private boolean isSoap(String name) {
    return in.isStartElement() && name.equals(in.getLocalName()) && version.namespace().equals(in.getNamespaceURI());
  }
}
