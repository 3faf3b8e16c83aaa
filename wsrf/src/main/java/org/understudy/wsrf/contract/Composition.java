package org.understudy.wsrf.contract;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.xml.namespace.QName;
import org.understudy.soap.xml.Elements;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Adds operations of standards to a contract: to its port type and to all its bindings. For one thread. */
final class Composition {
  private final Map<String, Document> documents;
  private final StandardContracts standards;
  private final QName name;
  private final Element portType;

  /**
   * Prepares.
   *
   * @param documents of the contract by their queries; changed in place
   * @param name of the port type
   */
  Composition(Map<String, Document> documents, StandardContracts standards, QName name) {
    this.documents = documents;
    this.standards = standards;
    this.name = name;
    this.portType = portType();
    dropCopies();
    documents.values().forEach(this::takeStandardsFromHere);
    tellActions();
  }

  /** Otherwise the contract would contain a service's own copy of a standard's contract twice. */
  private void dropCopies() {
    documents.entrySet().removeIf(entry ->
        !entry.getKey().equals("wsdl")
            && standards.query(entry.getValue().getDocumentElement().getAttribute("targetNamespace")).isPresent());
    for (String query : documents.keySet()) {
      if (standards.document(query) != null) {
        throw new IllegalStateException(
            "The service's " + query.substring(query.indexOf('=') + 1) + " has the name of a standard document. Rename it.");
      }
    }
  }

  private Element portType() {
    for (Document document : documents.values()) {
      Element root = document.getDocumentElement();
      if (Xml.is(root, Xml.WSDL, "definitions") && root.getAttribute("targetNamespace").equals(name.getNamespaceURI())) {
        for (Element found : Xml.children(root, Xml.WSDL, "portType")) {
          if (found.getAttribute("name").equals(name.getLocalPart())) {
            return found;
          }
        }
      }
    }
    throw new IllegalStateException("The contract has no port type " + name + ".");
  }

  /** Inline schemas too. */
  private void takeStandardsFromHere(Document document) {
    for (Element schema : Xml.all(document, Xml.XSD, "schema")) {
      if (schema != document.getDocumentElement()) {
        standards.query(schema.getAttribute("targetNamespace")).ifPresent(query -> {
          Element around = Xml.create(schema, "schema");
          Element instead = Xml.append(around, schema, "import");
          instead.setAttribute("namespace", schema.getAttribute("targetNamespace"));
          schema.getParentNode().replaceChild(around, schema);
        });
      }
    }
    for (Reference reference : Reference.of(document)) {
      if (reference.isImport()) {
        standards.query(reference.namespace()).ifPresent(reference::pointTo);
      }
    }
  }

  /** The default actions of a contract that declares none: WS-Addressing 1.0 Metadata, section 4.4.4. */
  private void tellActions() {
    String delimiter = name.getNamespaceURI().startsWith("urn:") ? ":" : "/";
    String namespace = name.getNamespaceURI();
    String begin = (namespace.endsWith(delimiter) ? namespace : namespace + delimiter) + name.getLocalPart() + delimiter;
    for (Element operation : Xml.children(portType, Xml.WSDL, "operation")) {
      String own = operation.getAttribute("name");
      boolean answered = !Xml.children(operation, Xml.WSDL, "output").isEmpty();
      for (Element message : Elements.children(operation)) {
        String given = message.getAttribute("name");
        String action = switch (message.getLocalName()) {
          case "input" -> given.isEmpty() ? answered ? own + "Request" : own : given;
          case "output" -> given.isEmpty() ? own + "Response" : given;
          case "fault" -> own + delimiter + "Fault" + delimiter + given;
          default -> null;
        };
        if (action != null && !message.hasAttributeNS(Xml.WSAM, "Action")) {
          message.setAttributeNS(Xml.WSAM, Xml.text(portType, Xml.WSAM, "Action", "wsam"), begin + action);
        }
      }
    }
  }

  /**
   * Adds the operations that the contract does not have itself.
   *
   * @param elements in the body of a request, one for each operation; unknown ones are left out
   * @throws IllegalStateException when the contract has another operation of the same name
   */
  void add(Set<QName> elements) {
    Map<QName, StandardContracts.Operation> operations = standards.operations(elements);
    Set<String> names = new HashSet<>();
    for (Element own : Xml.children(portType, Xml.WSDL, "operation")) {
      names.add(own.getAttribute("name"));
      for (Element input : Xml.children(own, Xml.WSDL, "input")) {
        operations.remove(element(Xml.name(input, "message")));
      }
    }
    for (StandardContracts.Operation operation : operations.values()) {
      if (!names.add(operation.name())) {
        throw new IllegalStateException(
            "The service's operation " + operation.name() + " has the name of a standard operation that is added to it. Rename it.");
      }
      addToPortType(operation);
      for (Document document : documents.values()) {
        for (Element binding : Xml.children(document.getDocumentElement(), Xml.WSDL, "binding")) {
          if (name.equals(Xml.name(binding, "type"))) {
            addToBinding(binding, operation.element());
          }
        }
      }
    }
  }

  /** In the service's own messages, or in those of a standard that its WSDL imports. */
  private QName element(QName message) {
    QName own = StandardContracts.partElement(documents.values(), message);
    return own == null ? standards.partElement(message) : own;
  }

  private void addToPortType(StandardContracts.Operation operation) {
    Set<String> namespaces = new TreeSet<>();
    Element added = Xml.append(portType, portType, "operation");
    added.setAttribute("name", operation.name());
    for (Element from : Elements.children(operation.element())) {
      Element to = Xml.append(added, portType, from.getLocalName());
      if (from.hasAttribute("name")) {
        to.setAttribute("name", from.getAttribute("name"));
      }
      QName message = Xml.name(from, "message");
      to.setAttribute(
          "message",
          Xml.text(
              portType,
              message.getNamespaceURI(),
              message.getLocalPart(),
              from.lookupPrefix(message.getNamespaceURI())));
      to.setAttributeNS(
          Xml.WSAM, Xml.text(portType, Xml.WSAM, "Action", "wsam"), from.getAttributeNS(Xml.WSAM, "Action"));
      namespaces.add(message.getNamespaceURI());
    }
    namespaces.forEach(this::importContract);
  }

  private void importContract(String namespace) {
    Element root = portType.getOwnerDocument().getDocumentElement();
    Element before = null;
    for (Element child : Elements.children(root)) {
      if (Xml.is(child, Xml.WSDL, "import")) {
        if (child.getAttribute("namespace").equals(namespace)) {
          return;
        }
      } else if (before == null && !Xml.is(child, Xml.WSDL, "documentation")) {
        before = child;
      }
    }
    Element added = Xml.create(portType, "import");
    added.setAttribute("namespace", namespace);
    root.insertBefore(added, before);
    new Reference(added, "location").pointTo(standards.query(namespace).orElseThrow());
  }

  private static void addToBinding(Element binding, Element operation) {
    for (Element soap : Elements.children(binding)) {
      if (Xml.is(soap, Xml.SOAP11, "binding") || Xml.is(soap, Xml.SOAP12, "binding")) {
        Element added = Xml.append(binding, binding, "operation");
        added.setAttribute("name", operation.getAttribute("name"));
        Element how = Xml.append(added, soap, "operation");
        how.setAttribute("style", "document");
        for (Element message : Elements.children(operation)) {
          Element to = Xml.append(added, binding, message.getLocalName());
          String messageName = message.getAttribute("name");
          if (!messageName.isEmpty()) {
            to.setAttribute("name", messageName);
          }
          boolean fault = message.getLocalName().equals("fault");
          Element body = Xml.append(to, soap, fault ? "fault" : "body");
          if (fault) {
            body.setAttribute("name", messageName);
          } else if (message.getLocalName().equals("input")) {
            how.setAttribute("soapAction", message.getAttributeNS(Xml.WSAM, "Action"));
          }
          body.setAttribute("use", "literal");
        }
      }
    }
  }

  /** Names the resource properties in the port type, and declares those that no schema declares yet. */
  void add(ResourceProperties properties, Set<QName> operations) {
    new PropertyDocument(documents, standards, portType)
        .add(properties.document(), properties.properties(), standardProperties(operations));
  }

  private List<Property> standardProperties(Set<QName> elements) {
    return standards.operations(elements).values().stream()
        .map(StandardContracts.Operation::portType)
        .distinct()
        .filter(type -> type.hasAttributeNS(Xml.WSRF_RP, "ResourceProperties"))
        .flatMap(type -> standards.properties(
            Xml.name(type, type.getAttributeNodeNS(Xml.WSRF_RP, "ResourceProperties").getName())).stream())
        .toList();
  }
}
