package org.understudy.wsrf.contract;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.namespace.QName;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.understudy.soap.addressing.Addressing;
import org.understudy.soap.xml.Elements;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.SAXException;

/** Holds the faults that are raised to those that contracts declare. */
public final class DeclaredFaults {
  private static final String OURS = "urn:understudy:replication:1";
  private static final Map<QName, Set<QName>> BY_REQUEST = new HashMap<>();

  static {
    StandardContracts standards = new StandardContracts();
    for (String wsdl : new String[] {"rpw-2", "rlw-2", "bw-2", "sgw-2", "brw-2"}) {
      Document document = standards.document("wsdl=" + wsdl + ".wsdl");
      for (Element operation : Xml.all(document, Xml.WSDL, "operation")) {
        // What is one-way cannot declare any.
        boolean answers = !Xml.children(operation, Xml.WSDL, "output").isEmpty();
        for (Element input : answers ? Xml.children(operation, Xml.WSDL, "input") : List.<Element>of()) {
          QName request = standards.partElement(Xml.name(input, "message"));
          Set<QName> faults = BY_REQUEST.computeIfAbsent(request, asked -> new HashSet<>());
          for (Element fault : Xml.children(operation, Xml.WSDL, "fault")) {
            faults.add(standards.partElement(Xml.name(fault, "message")));
          }
        }
      }
    }
  }

  private DeclaredFaults() {}

  /** The elements of the faults that an operation of a standard declares; none for one-way and other ones. */
  static Set<QName> of(QName request) {
    return BY_REQUEST.getOrDefault(request, Set.of());
  }

  /**
   * Looks at an answer.
   *
   * @throws AssertionError when it is a fault of a standard that the operation asked for does not declare
   */
  public static void check(byte[] request, byte[] answer) {
    Document asked = read(request);
    Document answered = read(answer);
    Element operation = asked == null ? null : firstInBody(asked);
    if (operation == null || answered == null || !BY_REQUEST.containsKey(name(operation))) {
      return;
    }
    for (QName fault : details(answered)) {
      if (!of(name(operation)).contains(fault)) {
        throw new AssertionError(name(operation) + " does not declare " + fault + ".");
      }
    }
  }

  /** The elements in the detail of a fault, without our own and what WS-Addressing says of its header blocks. */
  static Set<QName> details(Document answer) {
    Set<QName> details = new HashSet<>();
    Element fault = firstInBody(answer);
    if (fault != null && fault.getLocalName().equals("Fault")) {
      for (Element part : Elements.children(fault)) {
        if (part.getLocalName().equalsIgnoreCase("detail")) {
          Elements.children(part).stream().map(DeclaredFaults::name).forEach(details::add);
        }
      }
    }
    details.removeIf(
        name -> name.getNamespaceURI().equals(OURS) || name.getNamespaceURI().equals(Addressing.NAMESPACE));
    return details;
  }

  private static QName name(Element element) {
    String namespace = element.getNamespaceURI();
    return new QName(namespace == null ? "" : namespace, element.getLocalName());
  }

  private static Element firstInBody(Document envelope) {
    for (Element part : Elements.children(envelope.getDocumentElement())) {
      if (part.getLocalName().equals("Body")) {
        return Elements.children(part).stream().findFirst().orElse(null);
      }
    }
    return null;
  }

  /** Null when it is no XML, or has a DOCTYPE: some requests of tests do. */
  static Document read(byte[] xml) {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultNSInstance();
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      DocumentBuilder builder = factory.newDocumentBuilder();
      // Else it writes to the standard error.
      builder.setErrorHandler(null);
      return builder.parse(new ByteArrayInputStream(xml));
    } catch (IOException | SAXException e) {
      return null;
    } catch (ParserConfigurationException e) {
      throw new IllegalStateException(e);
    }
  }
}
