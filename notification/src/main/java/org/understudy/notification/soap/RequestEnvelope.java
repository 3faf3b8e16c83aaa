package org.understudy.notification.soap;

import java.util.HashMap;
import java.util.Map;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.understudy.notification.addressing.Addressing;
import org.understudy.notification.xml.ElementText;
import org.understudy.notification.xml.XmlIntake;

/**
 * A SOAP request being read: its header is known, the reader stands on the element in its body. One thread, one pass.
 * Actions are not looked at: the element in the body says what is asked for.
 */
public final class RequestEnvelope {
  /** The reference parameter with a subscription's id, the same as the last step of its address. */
  public static final QName SUBSCRIPTION_ID =
      new QName("urn:understudy:notification:1", "SubscriptionId", "un");

  private final XMLStreamReader2 in;
  private final Map<String, String> scope = new HashMap<>();
  private SoapVersion version;
  private String messageId;
  private String subscriptionId;
  private QName operation;

  private RequestEnvelope(XMLStreamReader2 in) {
    this.in = in;
  }

  /** The reference parameter {@link #SUBSCRIPTION_ID} of a subscription, as an element. */
  public static String subscriptionParameter(String id) {
    return "<un:SubscriptionId xmlns:un=\"" + SUBSCRIPTION_ID.getNamespaceURI() + "\">" + id + "</un:SubscriptionId>";
  }

  /** A request of which nothing was read yet. */
  public static RequestEnvelope of(XMLStreamReader2 in) {
    return new RequestEnvelope(in);
  }

  /**
   * Reads up to the element in the body.
   *
   * @throws SoapFault when it is no SOAP envelope, a header block that must be understood is not, or the answer is wanted
   *     elsewhere than in the HTTP response
   * @throws XMLStreamException when it is not well-formed, or exceeds a limit
   */
  public void readToOperation() throws SoapFault, XMLStreamException {
    XmlIntake.toRoot(in);
    version = SoapVersion.ofNamespace(in.getNamespaceURI());
    if (version == null || !in.getLocalName().equals("Envelope")) {
      throw new SoapFault(
          SoapFault.Code.VERSION_MISMATCH, null, 0, "The request is no SOAP 1.1 or 1.2 envelope.");
    }
    noteScope();
    in.nextTag();
    if (isSoap("Header")) {
      while (in.nextTag() == XMLStreamConstants.START_ELEMENT) {
        headerBlock();
      }
      in.nextTag();
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

  /** The version; SOAP 1.1 while it is not known. */
  public SoapVersion version() {
    return version == null ? SoapVersion.SOAP11 : version;
  }

  /** {@code wsa:MessageID}; null when there was none. */
  public String messageId() {
    return messageId;
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

  private void headerBlock() throws SoapFault, XMLStreamException {
    QName name = in.getName();
    if (SUBSCRIPTION_ID.equals(name)) {
      subscriptionId = in.getElementText().strip();
    } else if (!Addressing.NAMESPACE.equals(name.getNamespaceURI())) {
      if (mustUnderstand()) {
        throw new SoapFault(
            SoapFault.Code.MUST_UNDERSTAND, null, 0, "The header block " + name + " is not understood here.");
      }
      in.skipElement();
    } else if (name.getLocalPart().equals("MessageID")) {
      messageId = in.getElementText().strip();
    } else if (name.getLocalPart().equals("ReplyTo") || name.getLocalPart().equals("FaultTo")) {
      answerAddress();
    } else {
      in.skipElement();
    }
  }

  private boolean mustUnderstand() {
    String value = in.getAttributeValue(version.namespace(), "mustUnderstand");
    return value != null && (value.strip().equals("1") || value.strip().equals("true"));
  }

  private void answerAddress() throws SoapFault, XMLStreamException {
    while (in.nextTag() == XMLStreamConstants.START_ELEMENT) {
      if (in.getLocalName().equals("Address") && !in.getElementText().strip().equals(Addressing.ANONYMOUS)) {
        // To answer elsewhere would let a stranger make this server call any address.
        throw new SoapFault(
            SoapFault.Code.SENDER,
            new QName(Addressing.NAMESPACE, "OnlyAnonymousAddressSupported", "wsa"),
            0,
            "Answers travel in the HTTP response only; leave ReplyTo and FaultTo out, or anonymous.");
      } else if (in.isStartElement()) {
        in.skipElement();
      }
    }
  }
}
