package org.understudy.container.twin;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Attr;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** XML as text that no longer depends on prefixes, the order of attributes, and the place of declarations. */
final class CanonicalXml {
  private static final Pattern NAME = Pattern.compile("([A-Za-z_][\\w.-]*):([A-Za-z_][\\w.-]*)");

  private CanonicalXml() {}

  /** Returns the root of a document, or null if it is none. */
  static Element parse(byte[] xml, String charset) {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultInstance();
      factory.setNamespaceAware(true);
      factory.setCoalescing(true);
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      var builder = factory.newDocumentBuilder();
      builder.setErrorHandler(null);
      InputSource source = new InputSource(new ByteArrayInputStream(xml));
      source.setEncoding(charset);
      return builder.parse(source).getDocumentElement();
    } catch (SAXException | IOException e) {
      return null;
    } catch (ParserConfigurationException e) {
      throw new IllegalStateException(e);
    }
  }

  static String of(Node node) {
    StringBuilder to = new StringBuilder();
    write(node, to);
    return to.toString();
  }

  private static void write(Node node, StringBuilder to) {
    switch (node.getNodeType()) {
      case Node.ELEMENT_NODE -> {
        to.append('<').append(name(node));
        TreeMap<String, String> attributes = new TreeMap<>();
        for (int i = 0; i < node.getAttributes().getLength(); i++) {
          Attr attribute = (Attr) node.getAttributes().item(i);
          if (!XMLConstants.XMLNS_ATTRIBUTE_NS_URI.equals(attribute.getNamespaceURI())) {
            boolean yes = attribute.getLocalName().equals("IsReferenceParameter") && attribute.getValue().equals("1");
            attributes.put(name(attribute), yes ? "true" : resolved(attribute.getValue(), node));
          }
        }
        attributes.forEach((name, value) -> to.append(' ').append(name).append("=\"").append(value).append('"'));
        to.append('>');
        for (Node child = node.getFirstChild(); child != null; child = child.getNextSibling()) {
          write(child, to);
        }
        to.append("</>");
      }
      case Node.TEXT_NODE, Node.CDATA_SECTION_NODE -> to.append(resolved(node.getNodeValue(), node.getParentNode()));
      case Node.COMMENT_NODE -> to.append("<!--").append(node.getNodeValue()).append("-->");
      case Node.PROCESSING_INSTRUCTION_NODE -> to.append("<?").append(node.getNodeName()).append(' ').append(node.getNodeValue());
      default -> to.append("<node ").append(node.getNodeType()).append('>');
    }
  }

  private static String name(Node node) {
    return node.getNamespaceURI() == null ? node.getLocalName() : "{" + node.getNamespaceURI() + "}" + node.getLocalName();
  }

  /** A value that is a name with a prefix has the namespace instead, which two documents can give different prefixes. */
  private static String resolved(String value, Node scope) {
    Matcher name = NAME.matcher(value.trim());
    String namespace = name.matches() ? scope.lookupNamespaceURI(name.group(1)) : null;
    return namespace == null ? value : "{" + namespace + "}" + name.group(2);
  }

  static List<Element> elements(Element parent) {
    List<Element> all = new ArrayList<>();
    for (Node child = parent.getFirstChild(); child != null; child = child.getNextSibling()) {
      if (child instanceof Element element) {
        all.add(element);
      }
    }
    return all;
  }
}
