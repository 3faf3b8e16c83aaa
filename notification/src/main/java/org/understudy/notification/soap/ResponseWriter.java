package org.understudy.notification.soap;

import com.ctc.wstx.stax.WstxOutputFactory;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import javax.xml.XMLConstants;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.understudy.notification.addressing.Addressing;
import org.understudy.notification.fault.FaultType;
import org.understudy.notification.fault.NotificationFault;
import org.understudy.notification.message.NotifyNames;
import org.understudy.notification.subscription.Subscription;

/**
 * Writes the answers to one request: {@code wsa:Action} always, {@code wsa:RelatesTo} when the request had a MessageID.
 * Immutable and cheap.
 */
public final class ResponseWriter {
  private static final String WSA = Addressing.NAMESPACE;
  private static final String WSNT = NotifyNames.NAMESPACE;
  private static final String WSRF_BF = "http://docs.oasis-open.org/wsrf/bf-2";
  private static final String XSI = XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI;
  private static final String PORT_TYPES = "http://docs.oasis-open.org/wsn/bw-2/";
  private static final WstxOutputFactory FACTORY = new WstxOutputFactory();

  private final SoapVersion version;
  private final String relatesTo;

  /**
   * A writer.
   *
   * @param version the version of the request
   * @param relatesTo the request's MessageID; null: none
   */
  public ResponseWriter(SoapVersion version, String relatesTo) {
    this.version = version;
    this.relatesTo = relatesTo;
  }

  private interface Body {
    void writeTo(XMLStreamWriter out) throws XMLStreamException;
  }

  /**
   * SubscribeResponse (WS-BaseNotification 1.3, section 4.2).
   *
   * @param manager the subscription's own address; its id is in it and, again, in a reference parameter
   * @param now the producer's current time
   */
  public byte[] subscribed(Subscription subscription, URI manager, Instant now) {
    return envelope(PORT_TYPES + "NotificationProducer/SubscribeResponse", out -> {
      out.writeStartElement("wsnt", "SubscribeResponse", WSNT);
      out.writeStartElement("wsnt", "SubscriptionReference", WSNT);
      text(out, "wsa", WSA, "Address", manager.toString());
      out.writeStartElement("wsa", "ReferenceParameters", WSA);
      QName id = RequestEnvelope.SUBSCRIPTION_ID;
      out.writeStartElement(id.getPrefix(), id.getLocalPart(), id.getNamespaceURI());
      out.writeNamespace(id.getPrefix(), id.getNamespaceURI());
      out.writeCharacters(subscription.id());
      out.writeEndElement();
      out.writeEndElement();
      out.writeEndElement();
      text(out, "wsnt", WSNT, "CurrentTime", dateTime(now));
      terminationTime(out, subscription.termination());
      out.writeEndElement();
    });
  }

  /** RenewResponse (WS-BaseNotification 1.3, section 6.1.1). */
  public byte[] renewed(Subscription subscription, Instant now) {
    return envelope(PORT_TYPES + "SubscriptionManager/RenewResponse", out -> {
      out.writeStartElement("wsnt", "RenewResponse", WSNT);
      terminationTime(out, subscription.termination());
      text(out, "wsnt", WSNT, "CurrentTime", dateTime(now));
      out.writeEndElement();
    });
  }

  /** UnsubscribeResponse (WS-BaseNotification 1.3, section 6.1.2). */
  public byte[] unsubscribed() {
    return envelope(
        PORT_TYPES + "SubscriptionManager/UnsubscribeResponse",
        out -> out.writeEmptyElement("wsnt", "UnsubscribeResponse", WSNT));
  }

  /**
   * A declared fault, with the content of WS-BaseFaults 1.2, section 2.
   *
   * @param now the producer's current time
   */
  public byte[] fault(NotificationFault fault, Instant now) {
    return envelope(fault.type().action(), out -> {
      startFault(out, SoapFault.Code.SENDER, null, fault.getMessage());
      if (version == SoapVersion.SOAP11) {
        out.writeStartElement("", "detail", "");
      } else {
        out.writeStartElement("soap", "Detail", version.namespace());
      }
      baseFault(out, fault, now);
      out.writeEndElement();
      out.writeEndElement();
    });
  }

  /** A fault of SOAP or WS-Addressing itself. */
  public byte[] fault(SoapFault fault) {
    QName subcode = fault.subcode();
    String action =
        subcode != null && subcode.getNamespaceURI().equals(WSA) ? Addressing.FAULT_ACTION : WSA + "/soap/fault";
    return envelope(action, out -> {
      startFault(out, fault.code(), subcode, fault.getMessage());
      out.writeEndElement();
    });
  }

  private void baseFault(XMLStreamWriter out, NotificationFault fault, Instant now) throws XMLStreamException {
    QName element = fault.type().element();
    out.writeStartElement(element.getPrefix(), element.getLocalPart(), element.getNamespaceURI());
    if (!element.getNamespaceURI().equals(WSNT)) {
      out.writeNamespace(element.getPrefix(), element.getNamespaceURI());
    }
    out.writeNamespace("wsrf-bf", WSRF_BF);
    text(out, "wsrf-bf", WSRF_BF, "Timestamp", dateTime(now));
    out.writeStartElement("wsrf-bf", "Description", WSRF_BF);
    out.writeAttribute("xml", XMLConstants.XML_NS_URI, "lang", "en");
    out.writeCharacters(fault.getMessage());
    out.writeEndElement();
    NotificationFault.Particulars particulars = fault.particulars();
    String nameElement = switch (fault.type()) {
      case INVALID_FILTER -> "UnknownFilter";
      case UNSUPPORTED_POLICY_REQUEST -> "UnsupportedPolicy";
      case UNRECOGNIZED_POLICY_REQUEST -> "UnrecognizedPolicy";
      default -> null;
    };
    for (QName name : particulars.names()) {
      out.writeStartElement("wsnt", nameElement, WSNT);
      out.writeNamespace("n", name.getNamespaceURI().isEmpty() ? WSNT : name.getNamespaceURI());
      out.writeCharacters(name.getNamespaceURI().isEmpty() ? name.getLocalPart() : "n:" + name.getLocalPart());
      out.writeEndElement();
    }
    if (fault.type() == FaultType.UNACCEPTABLE_INITIAL_TERMINATION_TIME
        || fault.type() == FaultType.UNACCEPTABLE_TERMINATION_TIME) {
      // The schema insists on it, even when the time could not be read.
      text(out, "wsnt", WSNT, "MinimumTime",
          dateTime(particulars.minimumTime() == null ? now : particulars.minimumTime()));
    }
    if (particulars.maximumTime() != null) {
      text(out, "wsnt", WSNT, "MaximumTime", dateTime(particulars.maximumTime()));
    }
    out.writeEndElement();
  }

  private void startFault(XMLStreamWriter out, SoapFault.Code code, QName subcode, String reason)
      throws XMLStreamException {
    String soap = version.namespace();
    out.writeStartElement("soap", "Fault", soap);
    String name = "soap:" + code.in(version);
    String detailed = subcode == null ? null : subcode.getPrefix() + ":" + subcode.getLocalPart();
    if (version == SoapVersion.SOAP11) {
      text(out, "", "", "faultcode", detailed == null ? name : detailed);
      text(out, "", "", "faultstring", reason);
      return;
    }
    out.writeStartElement("soap", "Code", soap);
    text(out, "soap", soap, "Value", name);
    if (detailed != null) {
      out.writeStartElement("soap", "Subcode", soap);
      text(out, "soap", soap, "Value", detailed);
      out.writeEndElement();
    }
    out.writeEndElement();
    out.writeStartElement("soap", "Reason", soap);
    out.writeStartElement("soap", "Text", soap);
    out.writeAttribute("xml", XMLConstants.XML_NS_URI, "lang", "en");
    out.writeCharacters(reason);
    out.writeEndElement();
    out.writeEndElement();
  }

  private byte[] envelope(String action, Body body) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(1_024);
    try {
      XMLStreamWriter out = FACTORY.createXMLStreamWriter(bytes, "UTF-8");
      out.writeStartElement("soap", "Envelope", version.namespace());
      out.writeNamespace("soap", version.namespace());
      out.writeNamespace("wsa", WSA);
      out.writeNamespace("wsnt", WSNT);
      out.writeStartElement("soap", "Header", version.namespace());
      text(out, "wsa", WSA, "Action", action);
      if (relatesTo != null) {
        text(out, "wsa", WSA, "RelatesTo", relatesTo);
      }
      out.writeEndElement();
      out.writeStartElement("soap", "Body", version.namespace());
      body.writeTo(out);
      out.writeEndDocument();
      out.close();
    } catch (XMLStreamException e) {
      throw new IllegalStateException("An answer could not be written to memory.", e);
    }
    return bytes.toByteArray();
  }

  private static void terminationTime(XMLStreamWriter out, Optional<Instant> time) throws XMLStreamException {
    out.writeStartElement("wsnt", "TerminationTime", WSNT);
    if (time.isPresent()) {
      out.writeCharacters(dateTime(time.get()));
    } else {
      out.writeNamespace("xsi", XSI);
      out.writeAttribute("xsi", XSI, "nil", "true");
    }
    out.writeEndElement();
  }

  private static void text(XMLStreamWriter out, String prefix, String namespace, String name, String value)
      throws XMLStreamException {
    out.writeStartElement(prefix, name, namespace);
    out.writeCharacters(value);
    out.writeEndElement();
  }

  /** Whole milliseconds: some clients' parsers know no finer ones. */
  private static String dateTime(Instant time) {
    return time.truncatedTo(ChronoUnit.MILLIS).toString();
  }
}
