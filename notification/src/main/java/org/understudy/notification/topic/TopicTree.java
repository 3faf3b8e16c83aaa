package org.understudy.notification.topic;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Topics as a tree, for writing. For one thread. */
final class TopicTree {
  private static final String PREFIX = "wstop";
  private static final String TARGET = "tns";
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
      // t-1 permits elements of other namespaces only, so ad-hoc topics cannot be in the set.
      if (!child.getKey().getNamespaceURI().isEmpty()) {
        child.getValue().writeLevel(child.getKey(), 0, out);
      }
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

  void writeNamespace(String uri, Map<TopicPath, List<QName>> messageTypes, XMLStreamWriter out)
      throws XMLStreamException {
    Map<String, List<QName>> first = new TreeMap<>();
    if (!findFirst(new ArrayList<>(), first)) {
      markAll();
      first.clear();
      findFirst(new ArrayList<>(), first);
    }
    out.writeStartElement(PREFIX, "TopicNamespace", TopicSet.NAMESPACE);
    out.writeNamespace(PREFIX, TopicSet.NAMESPACE);
    out.writeNamespace(TARGET, uri);
    out.writeAttribute("targetNamespace", uri);
    for (List<QName> way : first.values()) {
      TopicTree at = this;
      for (QName step : way) {
        at = at.children.get(step);
      }
      at.writeTopic(way, true, messageTypes, out);
    }
    out.writeEndElement();
  }

  /**
   * Finds the paths to topics without a parent topic, by the last name.
   *
   * @param way the path to this node
   * @return false when two have the same name, which siblings must not
   */
  private boolean findFirst(List<QName> way, Map<String, List<QName>> found) {
    boolean distinct = true;
    for (Map.Entry<QName, TopicTree> child : children.entrySet()) {
      List<QName> further = new ArrayList<>(way);
      further.add(child.getKey());
      if (child.getValue().topic && !topic) {
        distinct &= found.put(child.getKey().getLocalPart(), further) == null;
      }
      distinct &= child.getValue().findFirst(further, found);
    }
    return distinct;
  }

  private void markAll() {
    for (TopicTree child : children.values()) {
      child.topic = true;
      child.markAll();
    }
  }

  private void writeTopic(
      List<QName> way, boolean first, Map<TopicPath, List<QName>> messageTypes, XMLStreamWriter out)
      throws XMLStreamException {
    int last = way.size() - 1;
    out.writeStartElement(PREFIX, "Topic", TopicSet.NAMESPACE);
    out.writeAttribute("name", way.get(last).getLocalPart());
    writeTypes(messageTypes.getOrDefault(new TopicPath(way), List.of()), out);
    if (first && last > 0) {
      String parent =
          way.subList(0, last).stream().map(QName::getLocalPart).collect(Collectors.joining("/", TARGET + ":", ""));
      out.writeAttribute("parent", parent);
    }
    for (Map.Entry<QName, TopicTree> child : children.entrySet()) {
      if (child.getValue().topic) {
        List<QName> further = new ArrayList<>(way);
        further.add(child.getKey());
        child.getValue().writeTopic(further, false, messageTypes, out);
      }
    }
    out.writeEndElement();
  }

  private static void writeTypes(List<QName> types, XMLStreamWriter out) throws XMLStreamException {
    if (types.isEmpty()) {
      return;
    }
    StringBuilder names = new StringBuilder();
    for (int i = 0; i < types.size(); i++) {
      QName type = types.get(i);
      names.append(i == 0 ? "" : " ");
      if (!type.getNamespaceURI().isEmpty()) {
        out.writeNamespace("m" + i, type.getNamespaceURI());
        names.append('m').append(i).append(':');
      }
      names.append(type.getLocalPart());
    }
    out.writeAttribute("messageTypes", names.toString());
  }
}
