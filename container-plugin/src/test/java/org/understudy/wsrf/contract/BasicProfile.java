package org.understudy.wsrf.contract;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import javax.xml.namespace.QName;
import org.understudy.soap.xml.Elements;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/**
 * Reads a contract as WS-I Basic Profile 1.1 does, sections 4.2 to 4.7, for what document/literal contracts can get wrong;
 * SOAP 1.2 bindings by the same measure. Numbers are those of the profile's requirements.
 */
final class BasicProfile {
  private final Map<String, Document> documents = new LinkedHashMap<>();
  private final List<String> violations = new ArrayList<>();
  /** By location: as what kind of document it is imported, and of which namespace. */
  private final Map<String, Map<String, String>> expected = new LinkedHashMap<>();

  private BasicProfile() {}

  /**
   * All that is wrong.
   *
   * @param start location of the WSDL
   * @param load gets a document by its location, or null when it is not where it must be
   * @param resolve the location that a reference in a document, the first, means by its text, the second
   */
  static List<String> violations(
      String start, Function<String, Document> load, BinaryOperator<String> resolve) {
    BasicProfile profile = new BasicProfile();
    Queue<String> open = new ArrayDeque<>(List.of(start));
    while (!open.isEmpty()) {
      String location = open.remove();
      if (!profile.documents.containsKey(location)) {
        Document document = load.apply(location);
        if (document == null) {
          profile.violations.add(location + " cannot be had.");
        } else {
          profile.documents.put(location, document);
          profile.imports(location, document, resolve, open);
        }
      }
    }
    profile.documents.forEach(profile::targetNamespaces);
    profile.documents.values().forEach(document -> {
      profile.messages(document);
      profile.portTypes(document);
      profile.bindings(document);
      profile.ports(document);
    });
    return profile.violations;
  }

  private void imports(
      String location, Document document, BinaryOperator<String> resolve, Queue<String> open) {
    boolean after = false;
    for (Element child : Elements.children(document.getDocumentElement())) {
      if (Xml.is(child, Xml.WSDL, "import")) {
        check(!after, "R2022/R2023 in " + location + ": an import stands after other elements.");
        check(!child.getAttribute("location").isEmpty(), "R2007 in " + location + ": an import without a location.");
      } else if (!Xml.is(child, Xml.WSDL, "documentation")) {
        after = true;
      }
    }
    for (Element found : Xml.all(document, Xml.XSD, "import")) {
      check(Xml.is((Element) found.getParentNode(), Xml.XSD, "schema"), "R2003 in " + location + ": xs:import misplaced.");
    }
    for (Reference reference : Reference.of(document)) {
      if (!reference.location().isEmpty()) {
        String target = resolve.apply(location, reference.location());
        boolean wsdl = Xml.is(reference.element(), Xml.WSDL, "import");
        expected.computeIfAbsent(target, key -> new LinkedHashMap<>())
            .put(wsdl ? "definitions" : "schema", reference.isImport() ? reference.namespace() : null);
        open.add(target);
      }
    }
  }

  private void targetNamespaces(String location, Document document) {
    Element root = document.getDocumentElement();
    expected.getOrDefault(location, Map.of()).forEach((kind, namespace) -> {
      check(kind.equals(root.getLocalName()), "R2001/R2004: " + location + " is imported as " + kind + ".");
      check(namespace == null || namespace.equals(root.getAttribute("targetNamespace")),
          "R2005: " + location + " is not of the namespace " + namespace + ".");
    });
    for (Element schema : Xml.all(document, Xml.XSD, "schema")) {
      boolean onlyImports = Elements.children(schema).stream()
          .allMatch(child -> Xml.is(child, Xml.XSD, "import") || Xml.is(child, Xml.XSD, "annotation"));
      check(onlyImports || schema.hasAttribute("targetNamespace"), "R2105 in " + location + ": a schema of no namespace.");
    }
    Set<String> once = new HashSet<>();
    for (Element schema : Xml.all(document, Xml.XSD, "schema")) {
      check(!schema.hasAttribute("targetNamespace") || once.add(schema.getAttribute("targetNamespace")),
          location + ": two schemas of the namespace " + schema.getAttribute("targetNamespace") + ".");
    }
  }

  private void messages(Document document) {
    for (Element message : Xml.all(document, Xml.WSDL, "message")) {
      List<Element> parts = Xml.children(message, Xml.WSDL, "part");
      String name = message.getAttribute("name");
      check(parts.size() == 1, "R2201: the message " + name + " has " + parts.size() + " parts.");
      for (Element part : parts) {
        check(part.hasAttribute("element") && !part.hasAttribute("type"), "R2204: the message " + name + " by type.");
        QName element = Xml.name(part, "element");
        check(element == null || isDeclared(element), "R2206: " + element + " is declared nowhere.");
      }
    }
  }

  private boolean isDeclared(QName element) {
    return documents.values().stream()
        .flatMap(document -> Xml.all(document, Xml.XSD, "schema").stream())
        .filter(schema -> schema.getAttribute("targetNamespace").equals(element.getNamespaceURI()))
        .flatMap(schema -> Xml.children(schema, Xml.XSD, "element").stream())
        .anyMatch(found -> found.getAttribute("name").equals(element.getLocalPart()));
  }

  private void portTypes(Document document) {
    for (Element portType : Xml.children(document.getDocumentElement(), Xml.WSDL, "portType")) {
      Set<String> names = new HashSet<>();
      for (Element operation : Xml.children(portType, Xml.WSDL, "operation")) {
        String name = operation.getAttribute("name");
        check(names.add(name), "R2304: the operation " + name + " is there twice.");
        List<String> kinds = Elements.children(operation).stream().map(Element::getLocalName).distinct()
            .filter(kind -> !kind.equals("documentation")).toList();
        check(kinds.get(0).equals("input"), "R2303: the operation " + name + " is none that begins with a request.");
        for (Element message : Elements.children(operation)) {
          if (!Xml.is(message, Xml.WSDL, "documentation")) {
            check(!message.getAttributeNS(Xml.WSAM, "Action").isEmpty(), name + ": a message without an action.");
            check(element(message) != null, name + " has a message that is declared nowhere: "
                + message.getAttribute("message") + ".");
          }
        }
      }
    }
  }

  private QName element(Element message) {
    return StandardContracts.partElement(documents.values(), Xml.name(message, "message"));
  }

  private void bindings(Document document) {
    for (Element binding : Xml.children(document.getDocumentElement(), Xml.WSDL, "binding")) {
      String name = binding.getAttribute("name");
      Element portType = definition("portType", Xml.name(binding, "type"));
      if (portType == null) {
        violations.add("The binding " + name + " has no port type.");
        continue;
      }
      Element soap = Elements.children(binding).stream()
          .filter(child -> Xml.is(child, Xml.SOAP11, "binding") || Xml.is(child, Xml.SOAP12, "binding")).findFirst()
          .orElse(null);
      if (soap == null) {
        violations.add("R2401: the binding " + name + " is not of SOAP.");
        continue;
      }
      check(soap.getAttribute("transport").equals("http://schemas.xmlsoap.org/soap/http"), "R2702: " + name);
      check(!soap.getAttribute("style").equals("rpc"), "R2705: " + name + " is of style rpc.");
      check(operations(portType).equals(operations(binding)),
          "R2718: " + name + " binds " + operations(binding) + ", not " + operations(portType) + ".");
      Set<QName> bodies = new HashSet<>();
      for (Element bound : Xml.children(binding, Xml.WSDL, "operation")) {
        operation(soap, bound, portType, bodies);
      }
    }
  }

  private void operation(Element soap, Element bound, Element portType, Set<QName> bodies) {
    String name = bound.getAttribute("name");
    Element declared = Xml.children(portType, Xml.WSDL, "operation").stream()
        .filter(found -> found.getAttribute("name").equals(name)).findFirst().orElse(null);
    if (declared == null) {
      return;
    }
    Element input = Xml.children(declared, Xml.WSDL, "input").get(0);
    check(bodies.add(element(input)), "R2710: two operations take " + element(input) + ".");
    for (Element how : Xml.children(bound, soap.getNamespaceURI(), "operation")) {
      check(!how.getAttribute("style").equals("rpc"), "R2705: " + name + " is of style rpc.");
      check(List.of("", input.getAttributeNS(Xml.WSAM, "Action")).contains(how.getAttribute("soapAction")),
          "The soapAction of " + name + " is not its action.");
    }
    check(faults(declared).equals(faults(bound)), "R2740: " + name + " binds " + faults(bound) + ".");
    for (Element message : Elements.children(bound)) {
      for (Element body : Elements.children(message)) {
        check(body.getNamespaceURI().equals(soap.getNamespaceURI()), name + " mixes versions of SOAP.");
        check(!body.getAttribute("use").equals("encoded"), "R2706: " + name + " is encoded.");
        check(!body.hasAttribute("namespace"), "R2716: " + name + " has a namespace attribute.");
        if (body.getLocalName().equals("fault")) {
          check(body.getAttribute("name").equals(message.getAttribute("name")), "R2721/R2754: a fault of " + name);
        }
      }
    }
  }

  private static Set<String> operations(Element of) {
    Set<String> names = new TreeSet<>();
    Xml.children(of, Xml.WSDL, "operation").forEach(operation -> names.add(operation.getAttribute("name")));
    return names;
  }

  private static Set<String> faults(Element operation) {
    Set<String> names = new TreeSet<>();
    Xml.children(operation, Xml.WSDL, "fault").forEach(fault -> names.add(fault.getAttribute("name")));
    return names;
  }

  private void ports(Document document) {
    for (Element port : Xml.all(document, Xml.WSDL, "port")) {
      Element binding = definition("binding", Xml.name(port, "binding"));
      check(binding != null, "The port " + port.getAttribute("name") + " has no binding.");
      boolean addressed = binding != null && Elements.children(port).stream().anyMatch(address ->
          address.getLocalName().equals("address")
              && !Xml.children(binding, address.getNamespaceURI(), "binding").isEmpty());
      check(addressed, "R2711: the port " + port.getAttribute("name") + " has no address of its binding's kind.");
    }
  }

  private Element definition(String kind, QName name) {
    return documents.values().stream()
        .map(Document::getDocumentElement)
        .filter(root -> root.getAttribute("targetNamespace").equals(name.getNamespaceURI()))
        .flatMap(root -> Xml.children(root, Xml.WSDL, kind).stream())
        .filter(found -> found.getAttribute("name").equals(name.getLocalPart()))
        .findFirst()
        .orElse(null);
  }

  private void check(boolean good, String violation) {
    if (!good) {
      violations.add(violation);
    }
  }
}
