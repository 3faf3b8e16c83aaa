package org.understudy.container.soap;

import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.understudy.soap.mime.RequestMessage;
import org.understudy.soap.xml.HardenedXmlReader;

/** Reads the priority of a request that waits for its resource. Thread-safe. */
public final class RequestPriority {
  /** Envelope, Body, and the element of the operation. */
  private static final int DEPTH = 4;
  private static final int DEFAULT = 0;

  private RequestPriority() {}

  /**
   * Returns the value of an element below the operation's one; 0 without one, or if it is not an int.
   *
   * @param element the local name
   */
  public static int of(RequestMessage message, String element) {
    try {
      XMLStreamReader in = HardenedXmlReader.openService(message.envelope(), message.envelope().length);
      boolean inBody = false;
      int depth = 0;
      while (in.hasNext()) {
        switch (in.next()) {
          case XMLStreamConstants.START_ELEMENT -> {
            depth++;
            inBody |= depth == 2 && in.getLocalName().equals("Body");
            if (inBody && depth == DEPTH && in.getLocalName().equals(element)) {
              return Integer.parseInt(in.getElementText().strip());
            }
          }
          case XMLStreamConstants.END_ELEMENT -> depth--;
          default -> {
            // Only elements matter.
          }
        }
      }
      return DEFAULT;
    } catch (XMLStreamException | NumberFormatException e) {
      // The service's stack reports it.
      return DEFAULT;
    }
  }
}
