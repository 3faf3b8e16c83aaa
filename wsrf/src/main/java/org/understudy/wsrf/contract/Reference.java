package org.understudy.wsrf.contract;

import java.util.ArrayList;
import java.util.List;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** A reference from one document to another. */
record Reference(Element element, String attribute) {
  /** Placeholder for the contract's own address, which is known only from a request. */
  static final String HERE = "urn:understudy:here";

  /** Every import, include and redefinition, with or without a location. */
  static List<Reference> of(Document document) {
    List<Reference> references = new ArrayList<>();
    Xml.all(document, Xml.WSDL, "import").forEach(found -> references.add(new Reference(found, "location")));
    for (String name : List.of("import", "include", "redefine")) {
      Xml.all(document, Xml.XSD, name).forEach(found -> references.add(new Reference(found, "schemaLocation")));
    }
    return references;
  }

  String location() {
    return element.getAttribute(attribute);
  }

  /** The query at the contract's own address, for example {@code xsd=b-2.xsd}; null when it is elsewhere. */
  String query() {
    return location().startsWith(HERE + "?") ? location().substring(HERE.length() + 1) : null;
  }

  /** Whether it is an import from an address that is not the contract's own. */
  boolean isElsewhere() {
    return isImport() && !location().isEmpty() && query() == null;
  }

  boolean isImport() {
    return "import".equals(element.getLocalName());
  }

  String namespace() {
    return element.getAttribute("namespace");
  }

  void pointTo(String query) {
    element.setAttribute(attribute, HERE + "?" + query);
  }
}
