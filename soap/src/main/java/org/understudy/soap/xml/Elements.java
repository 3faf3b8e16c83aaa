package org.understudy.soap.xml;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.xml.XMLConstants;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.w3c.dom.Attr;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;

/** Common operations on elements. Comments and processing instructions are ignored. */
public final class Elements {
  private Elements() {}

  public static QName name(Element element) {
    String namespace = element.getNamespaceURI();
    return new QName(namespace == null ? "" : namespace, element.getLocalName());
  }

  /** The child elements. */
  public static List<Element> children(Element element) {
    List<Element> children = new ArrayList<>();
    for (Node at = element.getFirstChild(); at != null; at = at.getNextSibling()) {
      if (at instanceof Element child) {
        children.add(child);
      }
    }
    return children;
  }

  /** The first child element of this name, or null. */
  public static Element child(Element element, String namespace, String name) {
    for (Node at = element.getFirstChild(); at != null; at = at.getNextSibling()) {
      if (at instanceof Element child && namespace.equals(child.getNamespaceURI()) && name.equals(child.getLocalName())) {
        return child;
      }
    }
    return null;
  }

  /**
   * The text of an element without child elements.
   *
   * @throws IllegalArgumentException when it has some
   */
  public static String text(Element element) {
    if (!children(element).isEmpty()) {
      throw new IllegalArgumentException("the element " + element.getLocalName() + " holds text only.");
    }
    return element.getTextContent();
  }

  /**
   * A qualified name in the text of an element.
   *
   * @throws IllegalArgumentException when it is invalid, or its prefix is not declared there
   */
  public static QName qname(Element scope, String written) {
    String text = written.strip();
    int colon = text.indexOf(':');
    String prefix = colon < 0 ? "" : text.substring(0, colon);
    String local = text.substring(colon + 1);
    if (local.isEmpty() || colon == 0 || !local.chars().allMatch(Elements::isOfName)) {
      throw new IllegalArgumentException("'" + shortened(text) + "' is not a valid name.");
    }
    String namespace =
        prefix.equals("xml") ? XMLConstants.XML_NS_URI : scope.lookupNamespaceURI(prefix.isEmpty() ? null : prefix);
    if (namespace == null && !prefix.isEmpty()) {
      throw new IllegalArgumentException("the prefix of '" + shortened(text) + "' is not declared.");
    }
    return new QName(namespace == null ? "" : namespace, local, prefix);
  }

  private static boolean isOfName(int c) {
    return Character.isLetterOrDigit(c) || c == '_' || c == '-' || c == '.' || c == '\u00b7';
  }

  /** The beginning of a text, for messages. */
  public static String shortened(String text) {
    return text.length() <= 80 ? text : text.substring(0, 80) + "…";
  }

  private static String text(String value) {
    return value == null ? "" : value;
  }

  /** Whether two elements are equal, ignoring prefixes and white space between elements. */
  public static boolean same(Element one, Element other) {
    if (!name(one).equals(name(other)) || !attributes(one).equals(attributes(other))) {
      return false;
    }
    List<Element> ones = children(one);
    List<Element> others = children(other);
    if (ones.size() != others.size()) {
      return false;
    }
    if (ones.isEmpty()) {
      return one.getTextContent().strip().equals(other.getTextContent().strip());
    }
    for (int i = 0; i < ones.size(); i++) {
      if (!same(ones.get(i), others.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static Map<QName, String> attributes(Element element) {
    Map<QName, String> found = new HashMap<>();
    NamedNodeMap attributes = element.getAttributes();
    for (int i = 0; i < attributes.getLength(); i++) {
      Attr attribute = (Attr) attributes.item(i);
      if (!XMLConstants.XMLNS_ATTRIBUTE_NS_URI.equals(attribute.getNamespaceURI())) {
        found.put(new QName(text(attribute.getNamespaceURI()), attribute.getLocalName()), attribute.getValue());
      }
    }
    return found;
  }

  /** Parses an element that this application wrote. */
  public static Element read(String element) {
    return read(element.getBytes(StandardCharsets.UTF_8));
  }

  /** The same in UTF-8. */
  public static Element read(byte[] element) {
    return read(element, HardenedXmlReader::openCopy);
  }

  /** Parses an element that another application wrote, of at most 10,000 elements: a tree takes many times the memory of its text. */
  public static Element readForeign(byte[] element) {
    return read(element, HardenedXmlReader::openBounded);
  }

  /** Opens a reader on bytes of a length. */
  @FunctionalInterface
  private interface Opening {
    XMLStreamReader2 open(byte[] bytes, int length) throws XMLStreamException;
  }

  private static Element read(byte[] element, Opening opening) {
    try {
      return ElementTree.read(opening.open(element, element.length)).getDocumentElement();
    } catch (XMLStreamException e) {
      throw new IllegalArgumentException("the element is unreadable: " + e.getMessage(), e);
    }
  }

  /** An empty document, for creating elements. */
  public static Document document() {
    return ElementTree.document();
  }
}
