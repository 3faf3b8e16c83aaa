package org.understudy.notification.topic;

import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Topics as a tree, to be written. For one thread. */
final class TopicTree {
  private static final String PREFIX = "wstop";
  private static final Comparator<QName> BY_NAME =
      Comparator.comparing(QName::getNamespaceURI).thenComparing(QName::getLocalPart);

  private final Map<QName, TopicTree> children = new TreeMap<>(BY_NAME);
  private boolean topic;

  private TopicTree() {}

  static TopicTree of(Collection<TopicPath> topics) {
    TopicTree root = new TopicTree();
    for (TopicPath path : topics) {
      TopicTree at = root;
      for (QName step : path.steps()) {
        at = at.children.computeIfAbsent(step, name -> new TopicTree());
      }
      at.topic = true;
    }
    return root;
  }

  void writeSet(XMLStreamWriter out) throws XMLStreamException {
    out.writeStartElement(PREFIX, "TopicSet", TopicSet.NAMESPACE);
    out.writeNamespace(PREFIX, TopicSet.NAMESPACE);
    for (Map.Entry<QName, TopicTree> child : children.entrySet()) {
      child.getValue().writeLevel(child.getKey(), 0, out);
    }
    out.writeEndElement();
  }

  private void writeLevel(QName name, int depth, XMLStreamWriter out) throws XMLStreamException {
    if (name.getNamespaceURI().isEmpty()) {
      out.writeStartElement("", name.getLocalPart(), "");
    } else {
      String prefix = "t" + depth;
      out.writeStartElement(prefix, name.getLocalPart(), name.getNamespaceURI());
      out.writeNamespace(prefix, name.getNamespaceURI());
    }
    if (topic) {
      out.writeAttribute(PREFIX, TopicSet.NAMESPACE, "topic", "true");
    }
    for (Map.Entry<QName, TopicTree> child : children.entrySet()) {
      child.getValue().writeLevel(child.getKey(), depth + 1, out);
    }
    out.writeEndElement();
  }

  void writeNamespace(String uri, XMLStreamWriter out) throws XMLStreamException {
    out.writeStartElement(PREFIX, "TopicNamespace", TopicSet.NAMESPACE);
    out.writeNamespace(PREFIX, TopicSet.NAMESPACE);
    out.writeAttribute("targetNamespace", uri);
    writeTopics(out);
    out.writeEndElement();
  }

  private void writeTopics(XMLStreamWriter out) throws XMLStreamException {
    for (Map.Entry<QName, TopicTree> child : children.entrySet()) {
      out.writeStartElement(PREFIX, "Topic", TopicSet.NAMESPACE);
      out.writeAttribute("name", child.getKey().getLocalPart());
      child.getValue().writeTopics(out);
      out.writeEndElement();
    }
  }
}
