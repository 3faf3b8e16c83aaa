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
    } catch (FailedChange e) {
      undo.run();
      String current = document.values(e.property, invocation.transaction(), invocation.now());
      throw fault(e.type, invocation, e.getMessage()).extension(new ChangeFailure(current, e.requested).text()).declared();
    } catch (DeclaredFault | RuntimeException e) {
      undo.run();
      throw e;
    }
    return PropertyOperations.response(modification.operation(), "");
  }

  /** Thrown when a property cannot be changed, before the changes so far are undone. */
  private static final class FailedChange extends Exception {
    private static final long serialVersionUID = 1L;
    private final ResourceFaultType type;
    private final QName property;
    private final String requested;

    FailedChange(ResourceFaultType type, QName property, String requested, String why) {
      super("The property " + property + " " + why + " Nothing was changed.", null, false, false);
      this.type = type;
      this.property = property;
      this.requested = requested;
    }
  }

  private void apply(Element component, Invocation invocation) throws DeclaredFault, FailedChange {
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
      throws DeclaredFault, FailedChange {
    PropertySource source = document.source(property);
    if (source == null) {
      throw fault(
          ResourceFaultType.INVALID_RESOURCE_PROPERTY_QNAME, invocation, "The resource has no property " + property + ".")
          .declared();
    }
    if (!source.isModifiable(property)) {
      throw new FailedChange(ResourceFaultType.UNABLE_TO_MODIFY_RESOURCE_PROPERTY, property, requested, "is read-only.");
    }
    try {
      List<Element> all = new ArrayList<>();
      if (insert) {
        String current = document.values(property, invocation.transaction(), invocation.now());
        all.addAll(Elements.children(Elements.read("<values>" + current + "</values>")));
      }
      all.addAll(values);
      source.replace(property, all, invocation.transaction());
    } catch (IllegalArgumentException e) {
      throw new FailedChange(
          ResourceFaultType.INVALID_MODIFICATION, property, requested, "does not accept this value: " + e.getMessage());
    } catch (RuntimeException e) {
      LOG.error("The property {} could not be changed. The request is undone.", property, e);
      throw new FailedChange(modification.failed(), property, requested, "could not be changed.");
    }
  }
}
