package org.understudy.notification.xpath;

import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/** Document order (XPath 1.0, section 5) by the nodes' numbers; Jaxen would search the tree. */
final class DocumentOrder implements Comparator<Object> {
  static final DocumentOrder INSTANCE = new DocumentOrder();

  private DocumentOrder() {}

  static Set<Object> newSet() {
    return Collections.newSetFromMap(new IdentityHashMap<>());
  }

  static List<Object> sort(List<Object> nodes) {
    nodes.sort(INSTANCE);
    return nodes;
  }

  @Override
  public int compare(Object left, Object right) {
    XmlNode a = (XmlNode) left;
    XmlNode b = (XmlNode) right;
    int byOrder = Integer.compare(a.order(), b.order());
    if (byOrder != 0) {
      return byOrder;
    }
    // An element, then its namespaces, then its attributes.
    int byKind = Integer.compare(rank(a), rank(b));
    return byKind != 0 ? byKind : Integer.compare(a.index(), b.index());
  }

  private static int rank(XmlNode node) {
    return switch (node.kind()) {
      case NAMESPACE -> 1;
      case ATTRIBUTE -> 2;
      default -> 0;
    };
  }
}
