package org.understudy.wsrf.property;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import javax.xml.namespace.QName;
import org.understudy.replication.api.ReadLevel;
import org.understudy.soap.basefault.DeclaredFault;
import org.understudy.soap.basefault.ResourceFaultType;
import org.understudy.soap.xml.Elements;
import org.understudy.wsrf.operation.Invocation;
import org.w3c.dom.Element;

/** GetResourceProperty and GetMultipleResourceProperties (WS-ResourceProperties 1.2, sections 5.2 and 5.3). */
final class GetProperties extends ResourceOperation {
  private final String operation;
  private final boolean multiple;

  GetProperties(ResourceDocument document, boolean multiple) {
    this(document, multiple, multiple ? "GetMultipleResourceProperties" : "GetResourceProperty");
  }

  private GetProperties(ResourceDocument document, boolean multiple, String operation) {
    super(
        document, PropertyOperations.element(operation), PropertyOperations.answer(operation), ReadLevel.LINEARIZABLE);
    this.operation = operation;
    this.multiple = multiple;
  }

  @Override
  protected String answer(Invocation invocation) throws DeclaredFault {
    Element request = invocation.body();
    // Each property is returned once, however often it is requested: an answer is never larger than the document.
    Set<QName> asked = new LinkedHashSet<>();
    for (Element named : multiple ? several(request) : List.of(request)) {
      asked.add(property(named, invocation));
    }
    StringBuilder values = new StringBuilder(256);
    for (QName property : asked) {
      document.source(property).append(property, invocation.transaction(), invocation.now(), values);
    }
    return PropertyOperations.response(operation, values.toString());
  }

  private static List<Element> several(Element request) throws DeclaredFault {
    List<Element> several = Elements.children(request);
    QName expected = PropertyOperations.element("ResourceProperty");
    if (several.isEmpty() || !several.stream().map(Elements::name).allMatch(expected::equals)) {
      throw DeclaredFault.badMessage(
          "GetMultipleResourceProperties must hold one or more ResourceProperty elements and nothing else.");
    }
    return several;
  }

  private QName property(Element named, Invocation invocation) throws DeclaredFault {
    QName property;
    try {
      property = Elements.qname(named, Elements.text(named));
    } catch (IllegalArgumentException e) {
      throw fault(
          ResourceFaultType.INVALID_RESOURCE_PROPERTY_QNAME, invocation,
          "The name of the property is invalid: " + e.getMessage()).declared();
    }
    QName meant = document.named(property);
    if (meant == null) {
      throw fault(
          ResourceFaultType.INVALID_RESOURCE_PROPERTY_QNAME, invocation, "The resource has no property " + property + ".")
          .declared();
    }
    return meant;
  }
}
