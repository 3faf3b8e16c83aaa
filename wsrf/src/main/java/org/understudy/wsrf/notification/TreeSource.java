package org.understudy.wsrf.notification;

import java.time.Instant;
import java.util.List;
import java.util.function.BiFunction;
import javax.xml.namespace.QName;
import org.understudy.soap.xml.ElementText;
import org.understudy.soap.xml.Elements;
import org.understudy.wsrf.property.PropertySource;
import org.understudy.wsrf.resource.ResourceTransaction;
import org.w3c.dom.Element;

/** Read-only properties from a document. */
public final class TreeSource implements PropertySource {
  private final List<QName> names;
  private final BiFunction<ResourceTransaction, Instant, byte[]> document;

  /** @param document of the transaction's resource, as an element whose children are the properties */
  public TreeSource(List<QName> names, BiFunction<ResourceTransaction, Instant, byte[]> document) {
    this.names = List.copyOf(names);
    this.document = document;
  }

  @Override
  public List<QName> names() {
    return names;
  }

  @Override
  public void append(QName name, ResourceTransaction transaction, Instant now, StringBuilder to) {
    Element root = Elements.read(document.apply(transaction, now));
    for (Element property : Elements.children(root)) {
      if (name.equals(Elements.name(property))) {
        to.append(ElementText.of(property));
      }
    }
  }
}
