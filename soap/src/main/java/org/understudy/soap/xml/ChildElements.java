package org.understudy.soap.xml;

import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;

/**
 * Iterates over the child elements of the element on whose start a reader is. Skips text between them, and what the caller
 * does not read of each. One thread, one pass.
 */
public final class ChildElements {
  private final XMLStreamReader2 in;
  private final int depth;

  /** @param in on the start of the parent */
  public ChildElements(XMLStreamReader2 in) {
    this.in = in;
    this.depth = in.getDepth() + 1;
  }

  /**
   * Moves to the start of the next child, from anywhere within the last one or its end.
   *
   * @return false after the last: the reader is on the end of the parent
   */
  public boolean next() throws XMLStreamException {
    while (true) {
      int event = in.next();
      if (event == XMLStreamConstants.START_ELEMENT && in.getDepth() == depth) {
        return true;
      }
      if (event == XMLStreamConstants.END_ELEMENT && in.getDepth() < depth) {
        return false;
      }
    }
  }

  /** Whether the child has this name. */
  public boolean is(String namespace, String name) {
    return name.equals(in.getLocalName()) && namespace.equals(in.getNamespaceURI());
  }
}
