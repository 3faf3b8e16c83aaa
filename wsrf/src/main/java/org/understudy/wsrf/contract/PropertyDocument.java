package org.understudy.wsrf.contract;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.xml.XMLConstants;
import javax.xml.namespace.QName;
import org.understudy.soap.xml.Elements;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** The resource property document in a contract. For one thread. */
final class PropertyDocument {
  private final Map<String, Document> documents;
  private final StandardContracts standards;
  private final Element portType;

  PropertyDocument(Map<String, Document> documents, StandardContracts standards, Element portType) {
    this.documents = documents;
    this.standards = standards;
    this.portType = portType;
  }

  void add(QName document, List<Property> own, List<Property> ofStandards) {
    Map<QName, Property> properties = new LinkedHashMap<>();
    own.forEach(property -> properties.put(property.name(), property));
    ofStandards.forEach(property -> properties.putIfAbsent(property.name(), property));
    if (!isDeclared(document)) {
      for (Property property : properties.values()) {
        if (!isDeclared(property.name())) {
          declare(property);
        }
      }
      declare(document, properties.values());
    }
    portType.setAttributeNS(
        Xml.WSRF_RP,
        Xml.text(portType, Xml.WSRF_RP, "ResourceProperties", "wsrf-rp"),
        Xml.text(portType, document.getNamespaceURI(), document.getLocalPart(), "rp"));
  }

  private boolean isDeclared(QName element) {
    return standards.declares(element)
        || documents.values().stream()
            .flatMap(document -> Xml.all(document, Xml.XSD, "schema").stream())
            .filter(schema -> isOf(schema, element.getNamespaceURI()))
            .flatMap(schema -> Xml.children(schema, Xml.XSD, "element").stream())
            .anyMatch(found -> found.getAttribute("name").equals(element.getLocalPart()));
  }

  /** A schema without a namespace takes that of the one that includes it. */
  private static boolean isOf(Element schema, String namespace) {
    String own = schema.getAttribute("targetNamespace");
    return own.equals(namespace)
        || own.isEmpty() && schema == schema.getOwnerDocument().getDocumentElement();
  }

  private void declare(Property property) {
    String namespace = property.name().getNamespaceURI();
    Element schema = schema(namespace).orElseGet(() -> newDocument(namespace));
    Element element = Xml.append(schema, schema, "element");
    element.setAttribute("name", property.name().getLocalPart());
    QName type = property.type() == null ? new QName(Xml.XSD, "anyType") : property.type();
    element.setAttribute("type", Xml.text(schema, type.getNamespaceURI(), type.getLocalPart(), "t"));
    show(schema, type.getNamespaceURI());
  }

  private void declare(QName document, Iterable<Property> properties) {
    Element schema =
        schema(document.getNamespaceURI())
            .orElseGet(() -> {
              Element types = types();
              return (Element)
                  types.appendChild(newSchema(types.getOwnerDocument(), document.getNamespaceURI()));
            });
    Element element = Xml.append(schema, schema, "element");
    element.setAttribute("name", document.getLocalPart());
    Element sequence = Xml.append(Xml.append(element, schema, "complexType"), schema, "sequence");
    for (Property property : properties) {
      Element reference = Xml.append(sequence, schema, "element");
      reference.setAttribute(
          "ref", Xml.text(schema, property.name().getNamespaceURI(), property.name().getLocalPart(), "p"));
      if (property.optional()) {
        reference.setAttribute("minOccurs", "0");
      }
      if (property.repeated()) {
        reference.setAttribute("maxOccurs", "unbounded");
      }
      show(schema, property.name().getNamespaceURI());
    }
  }

  /** The schema of a namespace, if the service has one. */
  private Optional<Element> schema(String namespace) {
    return Xml.children(types(), Xml.XSD, "schema").stream()
        .filter(schema -> schema.getAttribute("targetNamespace").equals(namespace))
        .findFirst()
        .or(() -> schemaDocument(namespace).map(Map.Entry::getValue).map(Document::getDocumentElement));
  }

  /**
   * Each property gets a schema of its own, because not every client resolves an import of a neighbouring schema in the
   * WSDL.
   */
  private Element newDocument(String namespace) {
    Document document = Xml.empty();
    Element schema = newSchema(document, namespace);
    document.appendChild(schema);
    int number = 1;
    while (documents.putIfAbsent("xsd=properties" + number + ".xsd", document) != null) {
      number++;
    }
    return schema;
  }

  private static Element newSchema(Document document, String namespace) {
    Element schema = document.createElementNS(Xml.XSD, "xs:schema");
    schema.setAttributeNS(XMLConstants.XMLNS_ATTRIBUTE_NS_URI, "xmlns:xs", Xml.XSD);
    schema.setAttribute("targetNamespace", namespace);
    schema.setAttribute("elementFormDefault", "qualified");
    return schema;
  }

  private Element types() {
    Element root = portType.getOwnerDocument().getDocumentElement();
    Element before = null;
    for (Element child : Elements.children(root)) {
      if (Xml.is(child, Xml.WSDL, "types")) {
        return child;
      }
      if (before == null && !Xml.is(child, Xml.WSDL, "documentation") && !Xml.is(child, Xml.WSDL, "import")) {
        before = child;
      }
    }
    Element types = Xml.create(portType, "types");
    root.insertBefore(types, before);
    return types;
  }

  private Optional<Map.Entry<String, Document>> schemaDocument(String namespace) {
    return documents.entrySet().stream()
        .filter(entry -> {
          Element root = entry.getValue().getDocumentElement();
          return Xml.is(root, Xml.XSD, "schema") && root.getAttribute("targetNamespace").equals(namespace);
        })
        .findFirst();
  }

  /** Imports a namespace into a schema that uses it. */
  private void show(Element schema, String namespace) {
    boolean known =
        namespace.equals(Xml.XSD)
            || namespace.equals(schema.getAttribute("targetNamespace"))
            || Xml.children(schema, Xml.XSD, "import").stream()
                .anyMatch(found -> found.getAttribute("namespace").equals(namespace));
    if (!known) {
      Element added = Xml.create(schema, "import");
      added.setAttribute("namespace", namespace);
      schema.insertBefore(added, schema.getFirstChild());
      standards.query(namespace)
          .or(() -> schemaDocument(namespace).map(Map.Entry::getKey))
          .ifPresent(query -> new Reference(added, "schemaLocation").pointTo(query));
    }
  }
}
