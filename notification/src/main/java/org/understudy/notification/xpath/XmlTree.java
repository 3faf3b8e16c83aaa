package org.understudy.notification.xpath;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.understudy.soap.xml.HardenedXmlReader;
import org.understudy.soap.xml.XmlLimits;

/** A document in memory, for queries. Immutable and thread-safe. About 150 bytes for each node, plus the text. */
public final class XmlTree {
  private static final int MAX_DEPTH = 100;

  private final XmlNode root;

  private XmlTree(XmlNode root) {
    this.root = root;
  }

  /** The root, above the document element. */
  public XmlNode root() {
    return root;
  }

  /**
   * Reads a document.
   *
   * @param xml in UTF-8 or with an XML declaration of another encoding
   * @param maximumNodes elements, attributes, texts, comments and processing instructions together; from 1
   * @throws XMLStreamException when it is not well-formed, has a DOCTYPE, or is too large or deeper than 100 elements
   */
  public static XmlTree parse(byte[] xml, int maximumNodes) throws XMLStreamException {
    XmlLimits limits = new XmlLimits(
        MAX_DEPTH, maximumNodes, 500, 65_536, Math.max(1, xml.length), Math.max(1, xml.length));
    return new Builder(maximumNodes).build(new HardenedXmlReader(limits).open(xml, 0, xml.length, null));
  }

  /** Builds one tree. */
  private static final class Builder {
    private final int max;
    private int nodes;
    private final Deque<XmlNode> open = new ArrayDeque<>();
    private final Deque<List<XmlNode>> children = new ArrayDeque<>();
    private final StringBuilder text = new StringBuilder();

    Builder(int max) {
      this.max = max;
    }

    XmlTree build(XMLStreamReader2 in) throws XMLStreamException {
      XmlNode root = new XmlNode(XmlNode.Kind.DOCUMENT, null, 0, "", "", "", "");
      open.push(root);
      children.push(new ArrayList<>());
      while (in.hasNext()) {
        switch (in.next()) {
          case XMLStreamConstants.START_ELEMENT -> start(in);
          case XMLStreamConstants.END_ELEMENT -> end();
          case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE ->
              text.append(in.getText());
          case XMLStreamConstants.COMMENT -> leaf(XmlNode.Kind.COMMENT, "", in.getText());
          case XMLStreamConstants.PROCESSING_INSTRUCTION ->
              leaf(XmlNode.Kind.PROCESSING_INSTRUCTION, in.getPITarget(), in.getPIData());
          case XMLStreamConstants.DTD -> throw new XMLStreamException("A DOCTYPE is not allowed.");
          default -> {
            // The ends of the document.
          }
        }
      }
      in.close();
      root.adopt(children.pop().toArray(XmlNode.NONE));
      return new XmlTree(root);
    }

    private void start(XMLStreamReader2 in) throws XMLStreamException {
      flush();
      XmlNode element = new XmlNode(
          XmlNode.Kind.ELEMENT, open.peek(), count(), text(in.getNamespaceURI()), text(in.getPrefix()),
          in.getLocalName(), "");
      XmlNode[] attributes = in.getAttributeCount() == 0 ? XmlNode.NONE : new XmlNode[in.getAttributeCount()];
      for (int i = 0; i < attributes.length; i++) {
        count();
        attributes[i] = new XmlNode(
            XmlNode.Kind.ATTRIBUTE, element, element.order(), text(in.getAttributeNamespace(i)),
            text(in.getAttributePrefix(i)), in.getAttributeLocalName(i), in.getAttributeValue(i));
      }
      Map<String, String> declared = Map.of();
      if (in.getNamespaceCount() > 0) {
        declared = new LinkedHashMap<>();
        for (int i = 0; i < in.getNamespaceCount(); i++) {
          declared.put(text(in.getNamespacePrefix(i)), text(in.getNamespaceURI(i)));
        }
      }
      element.start(attributes, declared);
      children.peek().add(element);
      open.push(element);
      children.push(new ArrayList<>(4));
    }

    private void end() throws XMLStreamException {
      flush();
      open.pop().adopt(children.pop().toArray(XmlNode.NONE));
    }

    private void leaf(XmlNode.Kind kind, String name, String value) throws XMLStreamException {
      flush();
      children.peek().add(new XmlNode(kind, open.peek(), count(), "", "", name, text(value)));
    }

    private void flush() throws XMLStreamException {
      if (text.length() > 0 && open.size() > 1) {
        children.peek().add(
            new XmlNode(XmlNode.Kind.TEXT, open.peek(), count(), "", "", "", text.toString()));
      }
      text.setLength(0);
    }

    private int count() throws XMLStreamException {
      if (++nodes > max) {
        throw new XMLStreamException("The document has more than " + max + " nodes.");
      }
      return nodes;
    }

    private static String text(String value) {
      return value == null ? "" : value;
    }
  }
}
