package org.understudy.notification.xpath;

import java.util.LinkedHashMap;
import java.util.Map;
import javax.xml.XMLConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** A node of an {@link XmlTree}, after XPath 1.0, section 5. Immutable once its tree is built; thread-safe. */
public final class XmlNode {
  static final XmlNode[] NONE = {};

  /** The kinds of nodes. */
  public enum Kind {
    /** The root, above the document element. */
    DOCUMENT,
    /** An element. */
    ELEMENT,
    /** An attribute. */
    ATTRIBUTE,
    /** A prefix in scope on an element. */
    NAMESPACE,
    /** A longest run of text. */
    TEXT,
    /** A comment. */
    COMMENT,
    /** A processing instruction. */
    PROCESSING_INSTRUCTION
  }

  private final Kind kind;
  private final XmlNode parent;
  private final int order;
  private final String namespace;
  private final String prefix;
  private final String name;
  private final String value;
  private int index;
  private XmlNode[] children = NONE;
  private XmlNode[] attributes = NONE;
  private Map<String, String> declared = Map.of();

  XmlNode(Kind kind, XmlNode parent, int order, String namespace, String prefix, String name, String value) {
    this.kind = kind;
    this.parent = parent;
    this.order = order;
    this.namespace = namespace;
    this.prefix = prefix;
    this.name = name;
    this.value = value;
  }

  /** What it is. */
  public Kind kind() {
    return kind;
  }

  /** The namespace of its name; empty: none. */
  public String namespace() {
    return namespace;
  }

  /** The local part of its name, the prefix of a namespace node, or the target of a processing instruction. */
  public String name() {
    return name;
  }

  String qualifiedName() {
    return prefix.isEmpty() ? name : prefix + ":" + name;
  }

  XmlNode parent() {
    return parent;
  }

  /** The position in document order; an element's attributes and namespaces share the element's own. */
  int order() {
    return order;
  }

  /** Place among the children of its parent, or among its attributes. */
  int index() {
    return index;
  }

  XmlNode[] children() {
    return children;
  }

  XmlNode[] attributes() {
    return attributes;
  }

  void adopt(XmlNode[] itsChildren) {
    children = itsChildren;
    for (int i = 0; i < itsChildren.length; i++) {
      itsChildren[i].index = i;
    }
  }

  void start(XmlNode[] itsAttributes, Map<String, String> itsDeclarations) {
    attributes = itsAttributes;
    declared = itsDeclarations;
    for (int i = 0; i < itsAttributes.length; i++) {
      itsAttributes[i].index = i;
    }
  }

  void placeAt(int place) {
    index = place;
  }

  /** Every prefix in scope on this element and its namespace; a default namespace has the empty prefix. */
  Map<String, String> scope() {
    Map<String, String> scope = new LinkedHashMap<>();
    scope.put(XMLConstants.XML_NS_PREFIX, XMLConstants.XML_NS_URI);
    for (XmlNode at = this; at != null; at = at.parent) {
      at.declared.forEach(scope::putIfAbsent);
    }
    scope.values().removeIf(String::isEmpty);
    return scope;
  }

  /** The string-value (XPath 1.0, section 5). */
  public String text() {
    if (kind != Kind.ELEMENT && kind != Kind.DOCUMENT) {
      return value;
    }
    if (children.length == 1 && children[0].kind == Kind.TEXT) {
      return children[0].value;
    }
    StringBuilder text = new StringBuilder();
    append(text);
    return text.toString();
  }

  private void append(StringBuilder text) {
    for (XmlNode child : children) {
      if (child.kind == Kind.TEXT) {
        text.append(child.value);
      } else if (child.kind == Kind.ELEMENT) {
        child.append(text);
      }
    }
  }

  /**
   * Writes the node. An element declares every prefix in scope, so that it can stand alone; an attribute becomes its value.
   *
   * @param out does not repair namespaces; is not closed
   */
  public void writeTo(XMLStreamWriter out) throws XMLStreamException {
    switch (kind) {
      case DOCUMENT -> {
        for (XmlNode child : children) {
          child.writeTo(out);
        }
      }
      case ELEMENT -> writeElement(out, scope());
      case COMMENT -> out.writeComment(value);
      case PROCESSING_INSTRUCTION -> out.writeProcessingInstruction(name, value);
      default -> out.writeCharacters(value);
    }
  }

  private void writeElement(XMLStreamWriter out, Map<String, String> namespaces) throws XMLStreamException {
    out.writeStartElement(prefix, name, namespace);
    for (Map.Entry<String, String> entry : namespaces.entrySet()) {
      if (entry.getKey().isEmpty()) {
        out.writeDefaultNamespace(entry.getValue());
      } else if (!entry.getKey().equals(XMLConstants.XML_NS_PREFIX)) {
        out.writeNamespace(entry.getKey(), entry.getValue());
      }
    }
    for (XmlNode attribute : attributes) {
      if (attribute.namespace.isEmpty()) {
        out.writeAttribute(attribute.name, attribute.value);
      } else {
        out.writeAttribute(attribute.prefix, attribute.namespace, attribute.name, attribute.value);
      }
    }
    for (XmlNode child : children) {
      if (child.kind == Kind.ELEMENT) {
        child.writeElement(out, child.declared);
      } else {
        child.writeTo(out);
      }
    }
    out.writeEndElement();
  }
}
