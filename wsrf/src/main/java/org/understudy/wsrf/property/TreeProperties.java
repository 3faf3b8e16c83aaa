package org.understudy.wsrf.property;

import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.xml.namespace.QName;
import org.understudy.replication.api.property.PropertyDocument;
import org.understudy.soap.xml.ElementText;
import org.understudy.soap.xml.Elements;
import org.understudy.wsrf.resource.ResourceTransaction;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** The properties of a state object that provides its document itself. */
public final class TreeProperties implements PropertySource {
  private final List<QName> names;
  private final Set<QName> modifiable = new HashSet<>();

  /** @param any a state object of the kind, which supplies the names */
  public TreeProperties(PropertyDocument any) {
    names = List.copyOf(any.names());
    for (QName name : names) {
      if (any.isModifiable(name)) {
        modifiable.add(name);
      }
    }
  }

  @Override
  public List<QName> names() {
    return names;
  }

  @Override
  public void append(QName name, ResourceTransaction transaction, Instant now, StringBuilder to) {
    for (Element property : Elements.children(document(transaction))) {
      if (name.equals(Elements.name(property))) {
        ElementText.write(property, to);
      }
    }
  }

  private static PropertyDocument state(ResourceTransaction transaction) {
    return (PropertyDocument) transaction.target();
  }

  private static Element document(ResourceTransaction transaction) {
    return state(transaction).properties(Elements.document());
  }

  @Override
  public boolean isModifiable(QName name) {
    return modifiable.contains(name);
  }

  @Override
  public void replace(QName name, List<Element> values, ResourceTransaction transaction) {
    Element document = document(transaction);
    Document factory = document.getOwnerDocument();
    Node before = null;
    for (Element property : Elements.children(document)) {
      if (name.equals(Elements.name(property))) {
        before = property.getNextSibling();
        document.removeChild(property);
      }
    }
    for (Element value : values) {
      // Serialised and parsed again, so that it declares the prefixes that were in scope.
      document.insertBefore(factory.importNode(Elements.read(ElementText.of(value)), true), before);
    }
    state(transaction).replaceProperties(document);
  }
}
