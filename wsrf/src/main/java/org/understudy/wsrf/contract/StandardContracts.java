package org.understudy.wsrf.contract;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.xml.namespace.QName;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/**
 * The contracts of WSRF and WS-Notification in the jar, and their operations. All endpoints share one object, because to read and to
 * write these documents takes longer than the rest of a deployment. Whoever calls it or reads its documents holds its lock: a DOM is for
 * one thread. Nobody changes the documents.
 */
final class StandardContracts {
  /**
   * An operation as its standard declares it.
   *
   * @param document its query
   * @param portType by which it is declared
   * @param element of the port type
   */
  record Operation(String document, Element portType, Element element) {
    String name() {
      return element.getAttribute("name");
    }
  }

  private static final String DIRECTORY = "/wsdl/standard/";
  /** In the order in which operations and resource properties are published. */
  private static final List<String> WSDLS =
      List.of("rpw-2.wsdl", "rlw-2.wsdl", "bw-2.wsdl", "sgw-2.wsdl", "brw-2.wsdl", "rw-2.wsdl");
  private static final List<String> SCHEMAS =
      List.of("rp-2.xsd", "rl-2.xsd", "b-2.xsd", "t-1.xsd", "sg-2.xsd", "br-2.xsd", "bf-2.xsd", "r-2.xsd", "ws-addr.xsd",
          "xml.xsd", "xmlmime.xsd", "swaref.xsd");

  /** Read by the first endpoint that has a contract. */
  private static final class Shared {
    private static final StandardContracts INSTANCE = new StandardContracts();
  }

  private final Map<String, Document> documents = new LinkedHashMap<>();
  private final Map<String, ContractDocument> written = new HashMap<>();
  private final Map<String, String> byNamespace = new HashMap<>();
  private final Map<QName, Operation> operations = new LinkedHashMap<>();
  private final Map<QName, Element> elements = new HashMap<>();

  static StandardContracts shared() {
    return Shared.INSTANCE;
  }

  StandardContracts() {
    for (String name : SCHEMAS) {
      Document schema = read(name, "xsd=" + name);
      String namespace = schema.getDocumentElement().getAttribute("targetNamespace");
      for (Element element : Xml.children(schema.getDocumentElement(), Xml.XSD, "element")) {
        elements.put(new QName(namespace, element.getAttribute("name")), element);
      }
    }
    for (String name : WSDLS) {
      read(name, "wsdl=" + name);
    }
    documents.forEach(this::index);
  }

  private Document read(String name, String query) {
    try (InputStream in = StandardContracts.class.getResourceAsStream(DIRECTORY + name)) {
      if (in == null) {
        throw new IllegalStateException("The resource " + DIRECTORY + name + " is missing.");
      }
      Document document = Xml.read(in);
      for (Reference reference : Reference.of(document)) {
        String file = reference.location();
        reference.pointTo(file.substring(file.lastIndexOf('.') + 1) + "=" + file);
      }
      documents.put(query, document);
      byNamespace.put(document.getDocumentElement().getAttribute("targetNamespace"), query);
      return document;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The first declaration of an operation wins: all contracts with the operation declare it alike. */
  private void index(String query, Document document) {
    for (Element portType : Xml.children(document.getDocumentElement(), Xml.WSDL, "portType")) {
      for (Element operation : Xml.children(portType, Xml.WSDL, "operation")) {
        Element input = Xml.children(operation, Xml.WSDL, "input").get(0);
        operations.putIfAbsent(
            partElement(documents.values(), Xml.name(input, "message")), new Operation(query, portType, operation));
      }
    }
  }

  /** The element in the only part of a message; null when the message is not there or has no such part. */
  static QName partElement(Iterable<Document> documents, QName message) {
    for (Document document : documents) {
      Element root = document.getDocumentElement();
      if (Xml.is(root, Xml.WSDL, "definitions")
          && root.getAttribute("targetNamespace").equals(message.getNamespaceURI())) {
        for (Element found : Xml.children(root, Xml.WSDL, "message")) {
          List<Element> parts = Xml.children(found, Xml.WSDL, "part");
          if (found.getAttribute("name").equals(message.getLocalPart()) && parts.size() == 1) {
            return Xml.name(parts.get(0), "element");
          }
        }
      }
    }
    return null;
  }

  /** The same for the messages of the standards. */
  QName partElement(QName message) {
    return partElement(documents.values(), message);
  }

  /** Those operations that take one of these elements, in the order of the standards. */
  Map<QName, Operation> operations(Set<QName> asked) {
    Map<QName, Operation> found = new LinkedHashMap<>(operations);
    found.keySet().retainAll(asked);
    return found;
  }

  /** The query of the document of this namespace, if a standard has it. */
  Optional<String> query(String namespace) {
    return Optional.ofNullable(byNamespace.get(namespace));
  }

  boolean declares(QName element) {
    return elements.containsKey(element);
  }

  /** The properties in a standard's resource property document; none when the document is missing. */
  List<Property> properties(QName document) {
    List<Property> properties = new ArrayList<>();
    Element root = elements.get(document);
    if (root != null) {
      for (Element type : Xml.children(root, Xml.XSD, "complexType")) {
        for (Element sequence : Xml.children(type, Xml.XSD, "sequence")) {
          for (Element property : Xml.children(sequence, Xml.XSD, "element")) {
            properties.add(
                new Property(
                    Xml.name(property, "ref"),
                    null,
                    "0".equals(property.getAttribute("minOccurs")),
                    "unbounded".equals(property.getAttribute("maxOccurs"))));
          }
        }
      }
    }
    return properties;
  }

  /** A document by its query, or null. */
  Document document(String query) {
    return documents.get(query);
  }

  /** The same, serialised once for all contracts. */
  ContractDocument written(String query) {
    Document document = documents.get(query);
    return document == null ? null : written.computeIfAbsent(query, first -> ContractDocument.of(document));
  }
}
