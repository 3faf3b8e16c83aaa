package org.understudy.notification.soap;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import javax.xml.XMLConstants;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.understudy.notification.fault.NotificationFault;
import org.understudy.soap.addressing.Addressing;
import org.understudy.soap.basefault.DeclaredFault;
import org.understudy.soap.envelope.SoapFault;
import org.understudy.soap.envelope.SoapVersion;
import org.understudy.soap.xml.Fragment;

/**
 * Writes the answers to one request: {@code wsa:Action} always, {@code wsa:RelatesTo} when the request had a MessageID.
 * Immutable and cheap.
 */
public final class ResponseWriter {
  private static final String WSA = Addressing.NAMESPACE;

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

  /**
   * An answer.
   *
   * @param action {@code wsa:Action}
   * @param content the element in the Body, which declares every prefix it uses
   */
  public byte[] answer(String action, byte[] content) {
    String xml = new String(content, StandardCharsets.UTF_8);
    return envelope(action, "", out -> out.writeRaw(xml));
  }

  /**
   * A declared fault, with the content of WS-BaseFaults 1.2, section 2.
   *
   * @param now the producer's current time
   */
  public byte[] fault(NotificationFault fault, Instant now) {
    DeclaredFault declared = fault.declared(now);
    return envelope(declared.family().action(), "", out -> {
      startFault(
          out, declared.sender() ? SoapFault.Code.SENDER : SoapFault.Code.RECEIVER, List.of(), fault.getMessage());
      if (version == SoapVersion.SOAP11) {
        out.writeStartElement("", "detail", "");
      } else {
        out.writeStartElement("soap", "Detail", version.namespace());
      }
      out.writeRaw(declared.detail());
      out.writeEndElement();
      out.writeEndElement();
    });
  }

  /** A fault of SOAP or WS-Addressing itself. */
  public byte[] fault(SoapFault fault) {
    String detail = fault.detail(version);
    return envelope(fault.action(), fault.headerBlocks(version), out -> {
      startFault(out, fault.code(), fault.subcodes(), fault.getMessage());
      if (!detail.isEmpty()) {
        out.writeStartElement("soap", "Detail", version.namespace());
        out.writeRaw(detail);
        out.writeEndElement();
      }
      out.writeEndElement();
    });
  }

  private void startFault(XMLStreamWriter out, SoapFault.Code code, List<QName> subcodes, String reason)
      throws XMLStreamException {
    String soap = version.namespace();
    out.writeStartElement("soap", "Fault", soap);
    String name = "soap:" + code.in(version);
    if (version == SoapVersion.SOAP11) {
      // It has room for one: the most precise.
      text(out, "", "", "faultcode", subcodes.isEmpty() ? name : prefixed(subcodes.get(subcodes.size() - 1)));
      text(out, "", "", "faultstring", reason);
      return;
    }
    out.writeStartElement("soap", "Code", soap);
    text(out, "soap", soap, "Value", name);
    for (QName subcode : subcodes) {
      out.writeStartElement("soap", "Subcode", soap);
      text(out, "soap", soap, "Value", prefixed(subcode));
    }
    for (int open = subcodes.size(); open >= 0; open--) {
      out.writeEndElement();
    }
    out.writeStartElement("soap", "Reason", soap);
    out.writeStartElement("soap", "Text", soap);
    out.writeAttribute("xml", XMLConstants.XML_NS_URI, "lang", "en");
    out.writeCharacters(reason);
    out.writeEndElement();
    out.writeEndElement();
  }

  private static String prefixed(QName name) {
    return name.getPrefix() + ":" + name.getLocalPart();
  }

  private byte[] envelope(String action, String headerBlocks, Fragment.Writing body) {
    return Fragment.of(out -> {
      out.writeStartElement("soap", "Envelope", version.namespace());
      out.writeNamespace("soap", version.namespace());
      out.writeNamespace("wsa", WSA);
      out.writeStartElement("soap", "Header", version.namespace());
      text(out, "wsa", WSA, "Action", action);
      if (relatesTo != null) {
        text(out, "wsa", WSA, "RelatesTo", relatesTo);
      }
      if (!headerBlocks.isEmpty()) {
        out.writeRaw(headerBlocks);
      }
      out.writeEndElement();
      out.writeStartElement("soap", "Body", version.namespace());
      body.to(out);
      out.writeEndElement();
      out.writeEndElement();
    });
  }

  private static void text(XMLStreamWriter out, String prefix, String namespace, String name, String value)
      throws XMLStreamException {
    out.writeStartElement(prefix, name, namespace);
    out.writeCharacters(value);
    out.writeEndElement();
  }
}
