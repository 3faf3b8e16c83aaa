package org.understudy.soap.envelope;

import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.understudy.soap.xml.ChildElements;
import org.understudy.soap.xml.HardenedXmlReader;

/**
 * Derives, from the content of a fault's Body, the properties of the message that carries it. Stored answers are parsed
 * again for that: faults are rare, and every replica then sends the same.
 *
 * @param code SOAP's own; Receiver for any other
 * @param reason for people
 * @param detail the first element in the detail; null for none
 */
public record FaultBody(SoapFault.Code code, String reason, QName detail) {
  private static final FaultBody UNKNOWN = new FaultBody(SoapFault.Code.RECEIVER, "", null);

  /** Reads the content of a Body. */
  public static FaultBody read(SoapVersion version, byte[] content) {
    return ofEnvelope(version, new EnvelopeWriter(version).body(content));
  }

  /** Reads a whole message, as far as it is readable: the answer is sent unchanged. */
  public static FaultBody ofEnvelope(SoapVersion version, byte[] message) {
    FaultReader fault = null;
    QName detail = null;
    try {
      XMLStreamReader2 in = HardenedXmlReader.openBounded(message, message.length);
      EnvelopeCursor envelope = new EnvelopeCursor(in);
      if (!envelope.open()) {
        return UNKNOWN;
      }
      while (envelope.nextBlock()) {
        // Header blocks say nothing about the fault.
      }
      if (envelope.isBody() && new ChildElements(in).next() && envelope.isSoap("Fault")) {
        fault = new FaultReader(in, version);
        detail = fault.nextDetail() ? in.getName() : null;
      }
    } catch (XMLStreamException e) {
      // As far as it was readable.
    }
    return fault == null ? UNKNOWN : new FaultBody(fault.code(), fault.reason(), detail);
  }
}
