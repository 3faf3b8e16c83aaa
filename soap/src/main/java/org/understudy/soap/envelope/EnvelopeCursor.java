package org.understudy.soap.envelope;

import java.util.HashMap;
import java.util.Map;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.understudy.soap.xml.ElementText;

/**
 * Iterates over an envelope of SOAP 1.1 or 1.2: its root, its header blocks one by one, its Body. Skips what the caller
 * does not read. One thread, one pass.
 */
public final class EnvelopeCursor {
  private final XMLStreamReader2 in;
  private final Map<String, String> scope = new HashMap<>();
  private SoapVersion version;
  private boolean inHeader;
  private int blockDepth;

  /** @param in before the root element, or on its start */
  public EnvelopeCursor(XMLStreamReader2 in) {
    this.in = in;
  }

  /** The reader at its current position. */
  public XMLStreamReader2 reader() {
    return in;
  }

  /** The version of the envelope; null before {@link #open}, and for other documents. */
  public SoapVersion version() {
    return version;
  }

  /**
   * Moves to the root element.
   *
   * @return whether it is an Envelope of a known version
   * @throws XMLStreamException when there is no element, or a DOCTYPE, or the document is not well-formed
   */
  public boolean open() throws XMLStreamException {
    while (!in.isStartElement()) {
      if (!in.hasNext()) {
        throw new XMLStreamException("The document has no element.");
      }
      if (in.next() == XMLStreamConstants.DTD) {
        throw new XMLStreamException("A SOAP message must not hold a DOCTYPE.");
      }
    }
    ElementText.noteScope(in, scope);
    version = in.getLocalName().equals("Envelope") ? SoapVersion.ofNamespace(in.getNamespaceURI()) : null;
    return version != null;
  }

  /**
   * Moves to the start of the next header block, skipping the rest of the last one.
   *
   * @return false after the last: the reader is where the Body must begin
   */
  public boolean nextBlock() throws XMLStreamException {
    if (inHeader) {
      while (!in.isEndElement() || in.getDepth() > blockDepth) {
        in.next();
      }
    } else {
      in.nextTag();
      if (!isSoap("Header")) {
        return false;
      }
      inHeader = true;
      ElementText.noteScope(in, scope);
      blockDepth = in.getDepth() + 1;
    }
    if (in.nextTag() == XMLStreamConstants.START_ELEMENT) {
      return true;
    }
    in.nextTag();
    return false;
  }

  /**
   * Reads on to the end of the message, from the end of the element in the Body.
   *
   * @throws XMLStreamException when anything but comments follows that element, or the message is not well-formed
   */
  public void end() throws XMLStreamException {
    for (String part : new String[] {"Body", "envelope"}) {
      if (in.nextTag() != XMLStreamConstants.END_ELEMENT) {
        throw new XMLStreamException("The " + part + " has content after its operation.");
      }
    }
    while (in.hasNext()) {
      in.next();
    }
  }

  /** Every prefix in scope around the header block that {@link #nextBlock} found, and its namespace. */
  Map<String, String> scope() {
    return scope;
  }

  /** Whether the reader is on the start of the Body. */
  public boolean isBody() {
    return isSoap("Body");
  }

  /** Whether the reader is on the start of an element of SOAP's with this name. */
  public boolean isSoap(String name) {
    return in.isStartElement() && name.equals(in.getLocalName()) && version.namespace().equals(in.getNamespaceURI());
  }
}
