package org.understudy.soap.envelope;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.understudy.soap.xml.HardenedXmlReader;

/**
 * What the content of a fault's Body says of the message that carries it. Stored answers are read again for it: faults are
 * rare, and so every replica sends the same.
 *
 * @param code SOAP's own; the receiver's for any other
 * @param reason for people
 * @param detail the first element in the detail; null when there is none
 */
public record FaultBody(SoapFault.Code code, String reason, QName detail) {
  /** Reads what stands in a Body. */
  public static FaultBody read(SoapVersion version, byte[] content) {
    ByteArrayOutputStream body = new ByteArrayOutputStream(content.length + 128);
    body.writeBytes(("<soap:Body xmlns:soap=\"" + version.namespace() + "\">").getBytes(StandardCharsets.UTF_8));
    body.writeBytes(content);
    body.writeBytes("</soap:Body>".getBytes(StandardCharsets.UTF_8));
    return ofEnvelope(version, body.toByteArray());
  }

  /** Reads a whole message. */
  public static FaultBody ofEnvelope(SoapVersion version, byte[] envelope) {
    String code = null;
    String reason = null;
    QName detail = null;
    boolean inFault = false;
    try {
      XMLStreamReader in = HardenedXmlReader.openBounded(envelope, envelope.length);
      while (detail == null && in.hasNext()) {
        if (in.next() != XMLStreamConstants.START_ELEMENT) {
          continue;
        }
        if (!inFault) {
          inFault = in.getLocalName().equals("Fault") && version.namespace().equals(in.getNamespaceURI());
          continue;
        }
        switch (in.getLocalName()) {
          case "faultcode", "Value" -> code = code == null ? local(in) : code;
          case "faultstring", "Text" -> reason = reason == null ? in.getElementText() : reason;
          case "detail", "Detail" -> {
            if (in.nextTag() != XMLStreamConstants.START_ELEMENT) {
              return of(version, code, reason, null);
            }
            detail = in.getName();
          }
          default -> {
            // An element around one of these.
          }
        }
      }
    } catch (XMLStreamException e) {
      // As far as it was read: the answer is sent as it is.
    }
    return of(version, code, reason, detail);
  }

  private static FaultBody of(SoapVersion version, String code, String reason, QName detail) {
    SoapFault.Code known = SoapFault.Code.RECEIVER;
    for (SoapFault.Code candidate : SoapFault.Code.values()) {
      known = candidate.in(version).equals(code) ? candidate : known;
    }
    return new FaultBody(known, reason == null ? "" : reason, detail);
  }

  /** Of a qualified name as text. */
  private static String local(XMLStreamReader in) throws XMLStreamException {
    String name = in.getElementText().strip();
    return name.substring(name.indexOf(':') + 1);
  }
}
