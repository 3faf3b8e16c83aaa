package org.understudy.soap.envelope;

import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.understudy.soap.xml.ChildElements;
import org.understudy.soap.xml.HardenedXmlReader;

/**
 * Finds in the content of a fault's Body the properties of the message that carries it. Stored answers are read again for
 * it: faults are rare, and so every replica sends the same.
 *
 * @param code SOAP's own; the receiver's for any other
 * @param reason for people
 * @param detail the first element in the detail; null when there is none
 */
public record FaultBody(SoapFault.Code code, String reason, QName detail) {
  private static final FaultBody UNKNOWN = new FaultBody(SoapFault.Code.RECEIVER, "", null);

  /** Reads what stands in a Body. */
  public static FaultBody read(SoapVersion version, byte[] content) {
    return ofEnvelope(version, new EnvelopeWriter(version).body(content));
  }

  /** Reads a whole message, as far as it can be read: the answer is sent as it is. */
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
      // As far as it was read.
    }
    return fault == null ? UNKNOWN : new FaultBody(fault.code(), fault.reason(), detail);
  }
}
