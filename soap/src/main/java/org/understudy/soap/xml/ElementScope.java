package org.understudy.soap.xml;

import java.util.Iterator;
import java.util.List;
import javax.xml.namespace.NamespaceContext;
import org.w3c.dom.Element;

/** The prefixes in scope on an element of a tree. */
public record ElementScope(Element element) implements NamespaceContext {
  @Override
  public String getNamespaceURI(String prefix) {
    String uri = element.lookupNamespaceURI(prefix.isEmpty() ? null : prefix);
    return uri == null ? "" : uri;
  }

  @Override
  public String getPrefix(String uri) {
    return element.lookupPrefix(uri);
  }

  /** {@inheritDoc} Returns one of them, where there are several. */
  @Override
  public Iterator<String> getPrefixes(String uri) {
    String prefix = getPrefix(uri);
    return prefix == null ? List.<String>of().iterator() : List.of(prefix).iterator();
  }
}
