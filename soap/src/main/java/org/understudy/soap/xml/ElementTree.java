package org.understudy.soap.xml;

import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.w3c.dom.Attr;
import org.w3c.dom.DOMImplementation;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** Builds trees from readers. The reader's limits bound their size. Thread-safe. */
public final class ElementTree {
  /** The JDK's own implementation, whatever the web application contains; stateless. */
  private static final DOMImplementation DOM = implementation();

  private ElementTree() {}

  private static DOMImplementation implementation() {
    try {
      return DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder().getDOMImplementation();
    } catch (ParserConfigurationException e) {
      throw new IllegalStateException("Every Java can make an empty document.", e);
    }
  }

  /** An empty document, for creating elements. */
  public static Document document() {
    return DOM.createDocument(null, null, null);
  }

  /**
   * Reads the next element whole, with its comments and processing instructions. The reader is left on its end.
   *
   * @param in before an element or on its start
   * @throws XMLStreamException when the element is not well-formed, exceeds a limit of the reader, or there is none
   */
  public static Document read(XMLStreamReader in) throws XMLStreamException {
    while (!in.isStartElement()) {
      if (!in.hasNext()) {
        throw new XMLStreamException("The document has no element.");
      }
      if (in.next() == XMLStreamConstants.DTD) {
        throw new XMLStreamException("A DOCTYPE is not allowed.");
      }
    }
    Document document = document();
    Node at = document;
    do {
      switch (in.getEventType()) {
        case XMLStreamConstants.START_ELEMENT -> {
          Element child = element(in, document);
          at.appendChild(child);
          at = child;
        }
        case XMLStreamConstants.END_ELEMENT -> at = at.getParentNode();
        case XMLStreamConstants.CHARACTERS, XMLStreamConstants.SPACE -> at.appendChild(document.createTextNode(in.getText()));
        case XMLStreamConstants.CDATA -> at.appendChild(document.createCDATASection(in.getText()));
        case XMLStreamConstants.COMMENT -> at.appendChild(document.createComment(in.getText()));
        case XMLStreamConstants.PROCESSING_INSTRUCTION ->
            at.appendChild(document.createProcessingInstruction(in.getPITarget(), in.getPIData()));
        case XMLStreamConstants.ENTITY_REFERENCE ->
            throw new XMLStreamException("A reference to the entity " + in.getLocalName() + ", which is not declared.");
        default -> {
          // No other event occurs within an element.
        }
      }
      if (at == document) {
        return document;
      }
      in.next();
    } while (true);
  }

  private static Element element(XMLStreamReader in, Document document) {
    Element element = document.createElementNS(in.getNamespaceURI(), qualified(in.getPrefix(), in.getLocalName()));
    for (int i = 0; i < in.getNamespaceCount(); i++) {
      String prefix = in.getNamespacePrefix(i);
      String name = prefix == null || prefix.isEmpty() ? "xmlns" : "xmlns:" + prefix;
      String uri = in.getNamespaceURI(i);
      element.setAttributeNS(XMLConstants.XMLNS_ATTRIBUTE_NS_URI, name, uri == null ? "" : uri);
    }
    for (int i = 0; i < in.getAttributeCount(); i++) {
      String name = qualified(in.getAttributePrefix(i), in.getAttributeLocalName(i));
      Attr attribute = document.createAttributeNS(in.getAttributeNamespace(i), name);
      attribute.setValue(in.getAttributeValue(i));
      element.setAttributeNodeNS(attribute);
    }
    return element;
  }

  private static String qualified(String prefix, String local) {
    return prefix == null || prefix.isEmpty() ? local : prefix + ":" + local;
  }
}
