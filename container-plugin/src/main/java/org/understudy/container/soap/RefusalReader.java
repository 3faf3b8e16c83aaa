package org.understudy.container.soap;

import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.understudy.replication.api.FailureCode;
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
      XMLStreamReader in = HardenedXmlReader.openBounded(envelope, length);
      if (in.nextTag() != XMLStreamConstants.START_ELEMENT || !in.getLocalName().equals("Envelope")) {
        return null;
      }
      String soap = in.getNamespaceURI();
      while (nextChild(in)) {
        if (isNamed(in, soap, "Header")) {
          if (isResult(in)) {
            return null;
          }
        } else if (isNamed(in, soap, "Body")) {
          return nextChild(in) && isNamed(in, soap, "Fault") ? fault(in) : null;
        } else {
          skip(in);
        }
      }
      return null;
    } catch (XMLStreamException | IllegalArgumentException e) {
      return null;
    }
  }

  /** Whether a header block says that the request was executed or read. */
  private static boolean isResult(XMLStreamReader in) throws XMLStreamException {
    boolean result = false;
    while (nextChild(in)) {
      if (isNamed(in, ReplicationHeader.NAMESPACE, "ReplicationHeader")) {
        result = !REFUSED.equals(child(in, "Status"));
      } else {
        skip(in);
      }
    }
    return result;
  }

  private static FailureCode fault(XMLStreamReader in) throws XMLStreamException {
    while (nextChild(in)) {
      if (in.getLocalName().equals("detail") || in.getLocalName().equals("Detail")) {
        while (nextChild(in)) {
          if (isNamed(in, ReplicationHeader.NAMESPACE, "ReplicationFault")) {
            return FailureCode.valueOf(String.valueOf(child(in, "Code")));
          }
          skip(in);
        }
      } else {
        skip(in);
      }
    }
    return null;
  }

  /** Returns the text of the child with this name, or null, and moves past the end of the element that is open. */
  private static String child(XMLStreamReader in, String name) throws XMLStreamException {
    String text = null;
    while (nextChild(in)) {
      if (isNamed(in, ReplicationHeader.NAMESPACE, name)) {
        text = in.getElementText().strip();
      } else {
        skip(in);
      }
    }
    return text;
  }

  private static boolean isNamed(XMLStreamReader in, String namespace, String name) {
    return name.equals(in.getLocalName()) && namespace.equals(in.getNamespaceURI());
  }

  /** Moves to the next child of the element that is open, or past its end. */
  private static boolean nextChild(XMLStreamReader in) throws XMLStreamException {
    while (in.hasNext()) {
      int event = in.next();
      if (event == XMLStreamConstants.START_ELEMENT) {
        return true;
      }
      if (event == XMLStreamConstants.END_ELEMENT) {
        return false;
      }
    }
    return false;
  }

  private static void skip(XMLStreamReader in) throws XMLStreamException {
    for (int depth = 1; depth > 0; ) {
      int event = in.next();
      depth += event == XMLStreamConstants.START_ELEMENT ? 1 : event == XMLStreamConstants.END_ELEMENT ? -1 : 0;
    }
  }
}
