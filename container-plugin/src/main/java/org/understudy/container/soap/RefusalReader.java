package org.understudy.container.soap;

import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.understudy.replication.api.FailureCode;
import org.understudy.soap.envelope.EnvelopeCursor;
import org.understudy.soap.envelope.FaultReader;
import org.understudy.soap.xml.ChildElements;
import org.understudy.soap.xml.HardenedXmlReader;

/**
 * Recognises a refusal of a replica by the structure of its envelope: a {@code ReplicationFault} that is a direct child of
 * the fault's detail, in an envelope without the response header of an executed request. Needed for replicas of versions
 * that do not send the HTTP header with the disposition. Thread-safe.
 */
public final class RefusalReader {
  private static final String REFUSED = "refused";

  private RefusalReader() {}

  /** Returns the code of the refusal, or null when the envelope is a result or cannot be read. */
  public static FailureCode read(byte[] envelope, int length) {
    try {
      XMLStreamReader2 in = HardenedXmlReader.openBounded(envelope, length);
      EnvelopeCursor cursor = new EnvelopeCursor(in);
      if (!cursor.open()) {
        return null;
      }
      while (cursor.nextBlock()) {
        // A block says whether the request was executed or read.
        if (isOurs(in, "ReplicationHeader") && !REFUSED.equals(child(in, "Status"))) {
          return null;
        }
      }
      if (!cursor.isBody() || !new ChildElements(in).next() || !cursor.isSoap("Fault")) {
        return null;
      }
      FaultReader fault = new FaultReader(in, cursor.version());
      while (fault.nextDetail()) {
        if (isOurs(in, "ReplicationFault")) {
          return FailureCode.valueOf(String.valueOf(child(in, "Code")));
        }
      }
      return null;
    } catch (XMLStreamException | IllegalArgumentException e) {
      return null;
    }
  }

  /** Returns the text of the child with this name, or null. */
  private static String child(XMLStreamReader2 in, String name) throws XMLStreamException {
    ChildElements children = new ChildElements(in);
    while (children.next()) {
      if (children.is(ReplicationHeader.NAMESPACE, name)) {
        return in.getElementText().strip();
      }
    }
    return null;
  }

  private static boolean isOurs(XMLStreamReader2 in, String name) {
    return name.equals(in.getLocalName()) && ReplicationHeader.NAMESPACE.equals(in.getNamespaceURI());
  }
}
