package org.understudy.wsrf.contract;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import javax.xml.XMLConstants;
import javax.xml.namespace.QName;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.understudy.soap.xml.Elements;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** Helpers to read, search and write a contract's documents. */
final class Xml {
  static final String WSDL = "http://schemas.xmlsoap.org/wsdl/";
  static final String XSD = XMLConstants.W3C_XML_SCHEMA_NS_URI;
  static final String SOAP11 = "http://schemas.xmlsoap.org/wsdl/soap/";
  static final String SOAP12 = "http://schemas.xmlsoap.org/wsdl/soap12/";
  static final String WSAM = "http://www.w3.org/2007/05/addressing/metadata";
  static final String WSRF_RP = "http://docs.oasis-open.org/wsrf/rp-2";

  private Xml() {}

  static Document empty() {
    try {
      return DocumentBuilderFactory.newDefaultNSInstance().newDocumentBuilder().newDocument();
    } catch (ParserConfigurationException e) {
      throw new IllegalStateException("Every Java can create an empty document.", e);
    }
  }

  /** A document of our own jar. */
  static Document read(InputStream in) throws IOException {
    try {
      return DocumentBuilderFactory.newDefaultNSInstance().newDocumentBuilder().parse(in);
    } catch (ParserConfigurationException | SAXException e) {
      throw new IllegalStateException("A contract in the jar is damaged.", e);
    }
  }

  static String write(Document document) {
    try {
      Transformer transformer = TransformerFactory.newDefaultInstance().newTransformer();
      transformer.setOutputProperty(OutputKeys.ENCODING, "UTF-8");
      StringWriter out = new StringWriter();
      transformer.transform(new DOMSource(document), new StreamResult(out));
      return out.toString();
    } catch (TransformerException e) {
      throw new IllegalStateException("A contract cannot be written.", e);
    }
  }

  static List<Element> children(Element parent, String namespace, String name) {
    return Elements.children(parent).stream().filter(child -> is(child, namespace, name)).toList();
  }

  static List<Element> all(Document document, String namespace, String name) {
    NodeList found = document.getElementsByTagNameNS(namespace, name);
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < found.getLength(); i++) {
      elements.add((Element) found.item(i));
    }
    return elements;
  }

  static boolean is(Element element, String namespace, String name) {
    return name.equals(element.getLocalName()) && namespace.equals(element.getNamespaceURI());
  }

  /** The name that an attribute holds, or null. */
  static QName name(Element element, String attribute) {
    String text = element.getAttribute(attribute).trim();
    if (text.isEmpty()) {
      return null;
    }
    int colon = text.indexOf(':');
    String namespace = element.lookupNamespaceURI(colon < 0 ? null : text.substring(0, colon));
    return new QName(namespace == null ? "" : namespace, text.substring(colon + 1));
  }

  /** A qualified name as text for an element; declares its namespace there if needed. */
  static String text(Element scope, String namespace, String local, String preferred) {
    return prefix(scope, namespace, preferred) + ":" + local;
  }

  private static String prefix(Element scope, String namespace, String preferred) {
    String known = scope.lookupPrefix(namespace);
    if (known != null) {
      return known;
    }
    String prefix = preferred;
    for (int i = 2; scope.lookupNamespaceURI(prefix) != null; i++) {
      prefix = preferred + i;
    }
    scope.setAttributeNS(XMLConstants.XMLNS_ATTRIBUTE_NS_URI, XMLConstants.XMLNS_ATTRIBUTE + ":" + prefix, namespace);
    return prefix;
  }

  /** A child at the end, in the namespace and with the prefix of another element. */
  static Element append(Element parent, Element like, String name) {
    return (Element) parent.appendChild(create(parent.getOwnerDocument(), like, name));
  }

  /** An element without a parent, in the namespace and with the prefix of another one. */
  static Element create(Element like, String name) {
    return create(like.getOwnerDocument(), like, name);
  }

  private static Element create(Document document, Element like, String name) {
    String prefix = like.getPrefix();
    return document.createElementNS(like.getNamespaceURI(), prefix == null ? name : prefix + ":" + name);
  }
}
