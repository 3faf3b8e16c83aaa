package org.understudy.notification.xpath;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.jaxen.DefaultNavigator;
import org.jaxen.JaxenRuntimeException;
import org.jaxen.XPath;
import org.jaxen.saxpath.SAXPathException;

/** Adapts an {@link XmlTree} to Jaxen, and charges the budget for every node. For one evaluation. */
final class TreeNavigator extends DefaultNavigator {
  private static final long serialVersionUID = 1L;

  private final transient Budget budget;
  private final transient IdentityHashMap<XmlNode, List<XmlNode>> namespacesOf = new IdentityHashMap<>();

  TreeNavigator(Budget budget) {
    this.budget = budget;
  }

  Budget budget() {
    return budget;
  }

  private static XmlNode node(Object object) {
    if (object instanceof XmlNode node) {
      return node;
    }
    throw new JaxenRuntimeException("A step can only be taken from a node.");
  }

  @Override
  public Iterator<XmlNode> getChildAxisIterator(Object context) {
    return new Charged(node(context).children(), 0, 1);
  }

  @Override
  public Iterator<XmlNode> getAttributeAxisIterator(Object context) {
    return new Charged(node(context).attributes(), 0, 1);
  }

  @Override
  public Iterator<XmlNode> getFollowingSiblingAxisIterator(Object context) {
    XmlNode node = node(context);
    return hasSiblings(node)
        ? new Charged(node.parent().children(), node.index() + 1, 1)
        : Collections.emptyIterator();
  }

  @Override
  public Iterator<XmlNode> getPrecedingSiblingAxisIterator(Object context) {
    XmlNode node = node(context);
    return hasSiblings(node)
        ? new Charged(node.parent().children(), node.index() - 1, -1)
        : Collections.emptyIterator();
  }

  private static boolean hasSiblings(XmlNode node) {
    return node.parent() != null
        && node.kind() != XmlNode.Kind.ATTRIBUTE
        && node.kind() != XmlNode.Kind.NAMESPACE;
  }

  @Override
  public Iterator<XmlNode> getNamespaceAxisIterator(Object context) {
    XmlNode element = node(context);
    if (element.kind() != XmlNode.Kind.ELEMENT) {
      return Collections.emptyIterator();
    }
    // Created once, because a node-set compares nodes by identity.
    List<XmlNode> known = namespacesOf.get(element);
    if (known != null) {
      budget.step();
      return known.iterator();
    }
    List<XmlNode> namespaces = new ArrayList<>();
    for (Map.Entry<String, String> entry : element.scope().entrySet()) {
      budget.step();
      XmlNode namespace = new XmlNode(
          XmlNode.Kind.NAMESPACE, element, element.order(), "", "", entry.getKey(), entry.getValue());
      namespace.placeAt(namespaces.size());
      namespaces.add(namespace);
    }
    namespacesOf.put(element, namespaces);
    return namespaces.iterator();
  }

  @Override
  public Iterator<XmlNode> getParentAxisIterator(Object context) {
    XmlNode parent = getParentNode(context);
    return parent == null ? Collections.emptyIterator() : List.of(parent).iterator();
  }

  @Override
  public XmlNode getParentNode(Object context) {
    budget.step();
    return node(context).parent();
  }

  @Override
  public XmlNode getDocumentNode(Object context) {
    XmlNode at = node(context);
    while (at.parent() != null) {
      at = at.parent();
    }
    return at;
  }

  @Override
  public String getElementNamespaceUri(Object element) {
    return node(element).namespace();
  }

  @Override
  public String getElementName(Object element) {
    return node(element).name();
  }

  @Override
  public String getElementQName(Object element) {
    return node(element).qualifiedName();
  }

  @Override
  public String getAttributeNamespaceUri(Object attribute) {
    return node(attribute).namespace();
  }

  @Override
  public String getAttributeName(Object attribute) {
    return node(attribute).name();
  }

  @Override
  public String getAttributeQName(Object attribute) {
    return node(attribute).qualifiedName();
  }

  @Override
  public String getProcessingInstructionTarget(Object instruction) {
    return node(instruction).name();
  }

  @Override
  public String getProcessingInstructionData(Object instruction) {
    return value(instruction);
  }

  @Override
  public boolean isDocument(Object object) {
    return is(object, XmlNode.Kind.DOCUMENT);
  }

  @Override
  public boolean isElement(Object object) {
    return is(object, XmlNode.Kind.ELEMENT);
  }

  @Override
  public boolean isAttribute(Object object) {
    return is(object, XmlNode.Kind.ATTRIBUTE);
  }

  @Override
  public boolean isNamespace(Object object) {
    return is(object, XmlNode.Kind.NAMESPACE);
  }

  @Override
  public boolean isComment(Object object) {
    return is(object, XmlNode.Kind.COMMENT);
  }

  @Override
  public boolean isText(Object object) {
    return is(object, XmlNode.Kind.TEXT);
  }

  @Override
  public boolean isProcessingInstruction(Object object) {
    return is(object, XmlNode.Kind.PROCESSING_INSTRUCTION);
  }

  private static boolean is(Object object, XmlNode.Kind kind) {
    return object instanceof XmlNode node && node.kind() == kind;
  }

  @Override
  public String getCommentStringValue(Object comment) {
    return value(comment);
  }

  @Override
  public String getElementStringValue(Object element) {
    return value(element);
  }

  @Override
  public String getAttributeStringValue(Object attribute) {
    return value(attribute);
  }

  @Override
  public String getNamespaceStringValue(Object namespace) {
    return value(namespace);
  }

  @Override
  public String getTextStringValue(Object text) {
    return value(text);
  }

  @Override
  public String getNamespacePrefix(Object namespace) {
    return node(namespace).name();
  }

  /** Charged in advance, so that refused work is not done. */
  private String value(Object object) {
    XmlNode node = node(object);
    chargeText(node);
    return node.text();
  }

  private void chargeText(XmlNode node) {
    if (node.kind() == XmlNode.Kind.ELEMENT || node.kind() == XmlNode.Kind.DOCUMENT) {
      budget.step();
      for (XmlNode child : node.children()) {
        chargeText(child);
      }
    } else {
      budget.chars(node.text().length());
    }
  }

  @Override
  public XPath parseXPath(String text) throws SAXPathException {
    throw new SAXPathException("Expressions inside expressions are not evaluated.");
  }

  /** Iterates over the nodes of an array from one index on, up or down. */
  private final class Charged implements Iterator<XmlNode> {
    private final XmlNode[] nodes;
    private final int by;
    private int at;

    Charged(XmlNode[] nodes, int from, int by) {
      this.nodes = nodes;
      this.at = from;
      this.by = by;
    }

    @Override
    public boolean hasNext() {
      return at >= 0 && at < nodes.length;
    }

    @Override
    public XmlNode next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      budget.step();
      XmlNode next = nodes[at];
      at += by;
      return next;
    }
  }
}
