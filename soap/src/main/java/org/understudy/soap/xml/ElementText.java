package org.understudy.soap.xml;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.xml.XMLConstants;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.w3c.dom.Attr;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;

/**
 * Copies elements out of streams and trees as self-contained text: all prefixes in scope are declared on the element,
 * because text content may use them. Leaves out comments and processing instructions.
 */
public final class ElementText {
  private final StringBuilder to;
  /** Whether the last start tag is still open. */
  private boolean open;

  private ElementText(StringBuilder to) {
    this.to = to;
  }

  /**
   * Copies the element on whose start the reader is. Leaves the reader on its end.
   *
   * @param scope every prefix in scope around the element
   * @param except an attribute of the element itself that is left out; null: none
   * @throws XMLStreamException when the document is not well-formed, or exceeds a limit
   */
  public static String copy(XMLStreamReader2 in, Map<String, String> scope, QName except) throws XMLStreamException {
    ElementText out = new ElementText(new StringBuilder(512));
    int depth = in.getDepth();
    out.start(in.getPrefix(), in.getLocalName());
    for (Map.Entry<String, String> declared : scope.entrySet()) {
      if (!declaresHere(in, declared.getKey())) {
        out.declare(declared.getKey(), declared.getValue());
      }
    }
    out.attributes(in, except);
    while (in.next() != XMLStreamConstants.END_ELEMENT || in.getDepth() > depth) {
      switch (in.getEventType()) {
        case XMLStreamConstants.START_ELEMENT -> {
          out.start(in.getPrefix(), in.getLocalName());
          out.attributes(in, null);
        }
        case XMLStreamConstants.END_ELEMENT -> out.end(in.getPrefix(), in.getLocalName());
        case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE -> out.characters(in.getText(),
            false);
        default -> {
          // Comments and processing instructions carry no information here.
        }
      }
    }
    out.end(in.getPrefix(), in.getLocalName());
    return out.to.toString();
  }

  /**
   * Copies the element of a tree. Prefixes that it uses without a declaration are declared where they are used.
   *
   * @throws IllegalArgumentException when an element in it has a prefix or a declaration, and was made without regard to namespaces
   */
  public static String of(Element element) {
    StringBuilder text = new StringBuilder(256);
    write(element, text);
    return text.toString();
  }

  /** Like {@link #of}, appended to a text. */
  public static void write(Element element, StringBuilder to) {
    Map<String, String> scope = new LinkedHashMap<>();
    for (Node at = element.getParentNode(); at instanceof Element; at = at.getParentNode()) {
      declarations((Element) at).forEach(scope::putIfAbsent);
    }
    scope.values().removeIf(String::isEmpty);
    new ElementText(to).copy(element, Map.of(), scope);
  }

  /** @param more prefixes to declare here unless the element does itself */
  private void copy(Element element, Map<String, String> scope, Map<String, String> more) {
    Map<String, String> declared = new LinkedHashMap<>(more);
    declared.putAll(declarations(element));
    Map<String, String> inner = new HashMap<>(scope);
    inner.putAll(declared);
    require(text(element.getPrefix()), text(element.getNamespaceURI()), inner, declared);
    NamedNodeMap attributes = element.getAttributes();
    String[] prefixes = new String[attributes.getLength()];
    for (int i = 0; i < prefixes.length; i++) {
      String namespace = text(attributes.item(i).getNamespaceURI());
      if (namespace.equals(XMLConstants.XMLNS_ATTRIBUTE_NS_URI)) {
        continue;
      }
      prefixes[i] = text(attributes.item(i).getPrefix());
      if (!namespace.isEmpty()) {
        prefixes[i] = prefixes[i].isEmpty() ? "a" + i : prefixes[i];
        require(prefixes[i], namespace, inner, declared);
      }
    }
    String own = local(element);
    start(element.getPrefix(), own);
    declared.forEach(this::declare);
    for (int i = 0; i < prefixes.length; i++) {
      if (prefixes[i] != null) {
        Attr attribute = (Attr) attributes.item(i);
        String local = attribute.getLocalName() == null ? attribute.getName() : attribute.getLocalName();
        attribute(text(attribute.getNamespaceURI()).isEmpty() ? "" : prefixes[i], local, attribute.getValue());
      }
    }
    for (Node at = element.getFirstChild(); at != null; at = at.getNextSibling()) {
      if (at instanceof Element child) {
        copy(child, inner, Map.of());
      } else if (at.getNodeType() == Node.TEXT_NODE || at.getNodeType() == Node.CDATA_SECTION_NODE) {
        characters(at.getNodeValue(), false);
      }
    }
    end(element.getPrefix(), own);
  }

  /** An element that was made without regard to namespaces has none, and must not look as if it had. */
  private static String local(Element element) {
    if (element.getLocalName() != null) {
      return element.getLocalName();
    }
    NamedNodeMap attributes = element.getAttributes();
    boolean prefixed = element.getNodeName().indexOf(':') >= 0;
    for (int i = 0; i < attributes.getLength(); i++) {
      prefixed |= attributes.item(i).getLocalName() == null && attributes.item(i).getNodeName().startsWith("xmlns");
    }
    if (prefixed) {
      throw new IllegalArgumentException(
          "The element " + element.getNodeName() + " was made without regard to its namespace. Call setNamespaceAware(true) on the "
              + "DocumentBuilderFactory, or use createElementNS.");
    }
    return element.getNodeName();
  }

  private static void require(String prefix, String namespace, Map<String, String> inner, Map<String, String> declared) {
    if (!prefix.equals("xml") && !namespace.equals(inner.getOrDefault(prefix, ""))) {
      inner.put(prefix, namespace);
      declared.put(prefix, namespace);
    }
  }

  private static Map<String, String> declarations(Element element) {
    Map<String, String> declared = new LinkedHashMap<>();
    NamedNodeMap attributes = element.getAttributes();
    for (int i = 0; i < attributes.getLength(); i++) {
      Attr attribute = (Attr) attributes.item(i);
      if (XMLConstants.XMLNS_ATTRIBUTE_NS_URI.equals(attribute.getNamespaceURI())) {
        declared.put(attribute.getPrefix() == null ? "" : attribute.getLocalName(), attribute.getValue());
      }
    }
    return declared;
  }

  private void attributes(XMLStreamReader2 in, QName except) {
    for (int i = 0; i < in.getNamespaceCount(); i++) {
      declare(text(in.getNamespacePrefix(i)), text(in.getNamespaceURI(i)));
    }
    for (int i = 0; i < in.getAttributeCount(); i++) {
      if (except == null || !in.getAttributeName(i).equals(except)) {
        attribute(text(in.getAttributePrefix(i)), in.getAttributeLocalName(i), in.getAttributeValue(i));
      }
    }
  }

  private static boolean declaresHere(XMLStreamReader2 in, String prefix) {
    for (int i = 0; i < in.getNamespaceCount(); i++) {
      if (text(in.getNamespacePrefix(i)).equals(prefix)) {
        return true;
      }
    }
    return false;
  }

  private void start(String prefix, String local) {
    close();
    name(to.append('<'), prefix, local);
    open = true;
  }

  private void declare(String prefix, String uri) {
    to.append(prefix.isEmpty() ? " xmlns" : " xmlns:").append(prefix).append("=\"");
    characters(uri, true);
    to.append('"');
  }

  private void attribute(String prefix, String local, String value) {
    name(to.append(' '), prefix, local).append("=\"");
    characters(value, true);
    to.append('"');
  }

  private void characters(String text, boolean inAttribute) {
    if (!inAttribute) {
      if (text.isEmpty()) {
        return;
      }
      close();
    }
    XmlText.append(text, inAttribute, to);
  }

  private void end(String prefix, String local) {
    if (open) {
      to.append("/>");
      open = false;
    } else {
      name(to.append("</"), prefix, local).append('>');
    }
  }

  private void close() {
    if (open) {
      to.append('>');
      open = false;
    }
  }

  private static StringBuilder name(StringBuilder to, String prefix, String local) {
    return prefix == null || prefix.isEmpty() ? to.append(local) : to.append(prefix).append(':').append(local);
  }

  /** Adds the prefixes declared on the current element to those in scope. */
  public static void noteScope(XMLStreamReader2 in, Map<String, String> scope) {
    for (int i = 0; i < in.getNamespaceCount(); i++) {
      scope.put(text(in.getNamespacePrefix(i)), text(in.getNamespaceURI(i)));
    }
  }

  /**
   * Reads the text of the element on whose start the reader is, up to its end.
   *
   * @return null when it holds an element
   */
  public static String textAlone(XMLStreamReader2 in) throws XMLStreamException {
    StringBuilder text = new StringBuilder();
    boolean alone = true;
    for (int event = in.next(); event != XMLStreamConstants.END_ELEMENT; event = in.next()) {
      if (event == XMLStreamConstants.START_ELEMENT) {
        alone = false;
        in.skipElement();
      } else if (in.hasText() && event != XMLStreamConstants.COMMENT) {
        text.append(in.getText());
      }
    }
    return alone ? text.toString() : null;
  }

  private static String text(String value) {
    return value == null ? "" : value;
  }
}
