package org.understudy.soap.envelope;

import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.understudy.soap.basefault.DeclaredFault;
import org.understudy.soap.xml.ElementTree;
import org.understudy.soap.xml.HardenedXmlReader;
import org.understudy.soap.xml.XmlLimits;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** Reads a message as a tree. A tree needs many times the memory of its text, so its number of elements is limited. */
public final class MessageBody {
  private static final long MAX_ELEMENTS = 50_000;
  private static final HardenedXmlReader INTAKE = new HardenedXmlReader(XmlLimits.ofBounded(MAX_ELEMENTS));

  private MessageBody() {}

  /**
   * The element in the Body of an envelope in UTF-8, with the namespaces of the envelope in scope.
   *
   * @throws DeclaredFault when the envelope is not well-formed up to its end, has too many elements, or does not hold exactly
   *     one element in its Body
   */
  public static Element read(SoapVersion version, byte[] envelope) throws DeclaredFault {
    Element root;
    try {
      XMLStreamReader in = INTAKE.open(envelope, 0, envelope.length, "UTF-8");
      root = ElementTree.read(in).getDocumentElement();
      while (in.hasNext()) {
        // Only comments may follow: an element would not be well-formed.
        in.next();
      }
    } catch (XMLStreamException e) {
      throw DeclaredFault.badMessage("The request is invalid: " + HardenedXmlReader.reason(e));
    }
    Element part = next(root.getFirstChild());
    if (is(version, part, "Header")) {
      part = next(part.getNextSibling());
    }
    if (!is(version, part, "Body")) {
      throw DeclaredFault.badMessage("The Body of the envelope is missing or misplaced.");
    }
    if (next(part.getNextSibling()) != null) {
      throw DeclaredFault.badMessage("The envelope has content after its Body.");
    }
    Element body = next(part.getFirstChild());
    if (body == null) {
      throw DeclaredFault.badMessage("The body is empty.");
    }
    if (next(body.getNextSibling()) != null) {
      throw DeclaredFault.badMessage("The body has more than one element.");
    }
    return body;
  }

  private static boolean is(SoapVersion version, Element element, String name) {
    return element != null
        && version.namespace().equals(element.getNamespaceURI())
        && element.getLocalName().equals(name);
  }

  private static Element next(Node node) {
    Node at = node;
    while (at != null && at.getNodeType() != Node.ELEMENT_NODE) {
      at = at.getNextSibling();
    }
    return (Element) at;
  }
}
