package org.understudy.wsrf.property;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.namespace.QName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.soap.basefault.DeclaredFault;
import org.understudy.soap.basefault.ResourceFaultType;
import org.understudy.soap.xml.ElementText;
import org.understudy.soap.xml.Elements;
import org.understudy.wsrf.operation.Invocation;
import org.w3c.dom.Element;

/** One of the operations of {@link Modification}. Makes all changes of a request, in their order, or none. */
final class ModifyProperties extends ResourceOperation {
  private static final Logger LOG = LoggerFactory.getLogger(ModifyProperties.class);

  private final Modification modification;

  ModifyProperties(ResourceDocument document, Modification modification) {
    super(
        document,
        PropertyOperations.element(modification.operation()),
        PropertyOperations.answer(modification.operation()),
        null);
    this.modification = modification;
  }

  @Override
  protected String answer(Invocation invocation) throws DeclaredFault {
    Element request = invocation.body();
    List<Element> components = Elements.children(request);
    for (int i = 0; i < components.size(); i++) {
      QName name = Elements.name(components.get(i));
      if (!PropertyOperations.NAMESPACE.equals(name.getNamespaceURI()) || !modification.takes(name.getLocalPart(), i)) {
        throw DeclaredFault.badMessage(modification.operation() + " does not accept the element " + name + " there.");
      }
    }
    if (components.isEmpty()) {
      throw DeclaredFault.badMessage(modification.operation() + " holds no change.");
    }
    Undo undo = new Undo(invocation.transaction());
    try {
      for (Element component : components) {
        apply(component, invocation);
      }
    } catch (DeclaredFault | RuntimeException e) {
      undo.run();
      throw e;
    }
    return PropertyOperations.response(modification.operation(), "");
  }

  private void apply(Element component, Invocation invocation) throws DeclaredFault {
    if (component.getLocalName().equals("Delete")) {
      change(deleted(component, invocation), List.of(), "", false, invocation);
      return;
    }
    Map<QName, List<Element>> values = new LinkedHashMap<>();
    for (Element value : Elements.children(component)) {
      values.computeIfAbsent(Elements.name(value), name -> new ArrayList<>()).add(value);
    }
    if (values.isEmpty()) {
      throw DeclaredFault.badMessage(component.getLocalName() + " holds no property.");
    }
    boolean insert = component.getLocalName().equals("Insert");
    for (Map.Entry<QName, List<Element>> property : values.entrySet()) {
      StringBuilder requested = new StringBuilder();
      property.getValue().forEach(value -> ElementText.write(value, requested));
      change(property.getKey(), property.getValue(), requested.toString(), insert, invocation);
    }
  }

  private QName deleted(Element delete, Invocation invocation) throws DeclaredFault {
    try {
      return Elements.qname(delete, delete.getAttribute("ResourceProperty"));
    } catch (IllegalArgumentException e) {
      throw fault(
          ResourceFaultType.INVALID_RESOURCE_PROPERTY_QNAME, invocation,
          "The attribute ResourceProperty of Delete is invalid: " + e.getMessage()).declared();
    }
  }

  private void change(QName property, List<Element> values, String requested, boolean insert, Invocation invocation)
      throws DeclaredFault {
    PropertySource source = document.source(property);
    if (source == null) {
      throw fault(
          ResourceFaultType.INVALID_RESOURCE_PROPERTY_QNAME, invocation, "The resource has no property " + property + ".")
          .declared();
    }
    String current = document.values(property, invocation.transaction(), invocation.now());
    ChangeFailure failure = new ChangeFailure(current, requested);
    if (!source.isModifiable(property)) {
      throw fault(
          ResourceFaultType.UNABLE_TO_MODIFY_RESOURCE_PROPERTY, invocation,
          "The property " + property + " is read-only. Nothing was changed.")
          .extension(failure.text()).declared();
    }
    try {
      List<Element> all = new ArrayList<>();
      if (insert) {
        all.addAll(Elements.children(Elements.read("<values>" + current + "</values>")));
      }
      all.addAll(values);
      source.replace(property, all, invocation.transaction());
    } catch (IllegalArgumentException e) {
      throw fault(
          ResourceFaultType.INVALID_MODIFICATION, invocation,
          "The property " + property + " does not accept this value: " + e.getMessage() + " Nothing was changed.")
          .extension(failure.text()).declared();
    } catch (RuntimeException e) {
      LOG.error("The property {} could not be changed. The request is undone.", property, e);
      throw fault(
          modification.failed(), invocation,
          "The property " + property + " could not be changed. Nothing was changed.")
          .extension(failure.text()).declared();
    }
  }
}
