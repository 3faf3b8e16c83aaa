package org.understudy.wsrf.contract;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import javax.xml.namespace.QName;
import org.understudy.soap.xml.Elements;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** The documents of a contract before additions: the WSDL itself is {@code wsdl}. */
final class ServiceDocuments {
  private ServiceDocuments() {}

  /** Those of a service's own contract. */
  static Map<String, Document> of(ServiceContract service) {
    Map<String, Document> documents = new LinkedHashMap<>();
    Queue<String> open = new ArrayDeque<>();
    open.add("wsdl");
    while (!open.isEmpty()) {
      String query = open.remove();
      if (!documents.containsKey(query)) {
        Document document = service.document(query, Reference.HERE);
        documents.put(query, document);
        Reference.of(document).stream().map(Reference::query).filter(found -> found != null).forEach(open::add);
      }
    }
    documents.values().forEach(document -> putAddress(document, service.portType(), documents));
    documents.values().forEach(document -> putFirst(document, service.port()));
    return documents;
  }

  /** CXF writes the ports in no order, and many clients use the first, so the port that the service names is moved there. */
  private static void putFirst(Document document, String own) {
    for (Element service : Xml.all(document, Xml.WSDL, "service")) {
      List<Element> ports = Xml.children(service, Xml.WSDL, "port");
      for (Element port : ports) {
        if (port.getAttribute("name").equals(own) && port != ports.get(0)) {
          service.insertBefore(port, ports.get(0));
        }
      }
    }
  }

  /** CXF writes one port; the other ports of a WSDL for the same port type get the same address. */
  private static void putAddress(Document document, QName portType, Map<String, Document> documents) {
    for (Element port : Xml.all(document, Xml.WSDL, "port")) {
      if (isBoundTo(Xml.name(port, "binding"), portType, documents)) {
        for (Element address : Elements.children(port)) {
          if (Xml.is(address, Xml.SOAP11, "address") || Xml.is(address, Xml.SOAP12, "address")) {
            address.setAttribute("location", Reference.HERE);
          }
        }
      }
    }
  }

  private static boolean isBoundTo(QName binding, QName portType, Map<String, Document> documents) {
    return documents.values().stream()
        .filter(document ->
            document.getDocumentElement().getAttribute("targetNamespace").equals(binding.getNamespaceURI()))
        .flatMap(document -> Xml.all(document, Xml.WSDL, "binding").stream())
        .anyMatch(found ->
            found.getAttribute("name").equals(binding.getLocalPart()) && portType.equals(Xml.name(found, "type")));
  }

  /**
   * An endpoint of the plugin's: a port type without operations, bound to SOAP 1.1 and 1.2.
   *
   * @param name of the WSDL; those of its bindings and its service begin so
   */
  static Map<String, Document> of(String name, QName portType) {
    Document document = Xml.empty();
    Element root = document.createElementNS(Xml.WSDL, "wsdl:definitions");
    document.appendChild(root);
    root.setAttribute("name", name);
    root.setAttribute("targetNamespace", portType.getNamespaceURI());
    String tns = Xml.text(root, portType.getNamespaceURI(), "", "tns");
    Xml.append(root, root, "portType").setAttribute("name", portType.getLocalPart());
    String type = tns + portType.getLocalPart();
    Element soap11 = bind(root, name + "Soap11", type, Xml.SOAP11, "soap");
    Element soap12 = bind(root, name + "Soap12", type, Xml.SOAP12, "soap12");
    Element service = Xml.append(root, root, "service");
    service.setAttribute("name", name + "Service");
    for (Element soap : new Element[] {soap11, soap12}) {
      String binding = ((Element) soap.getParentNode()).getAttribute("name");
      Element port = Xml.append(service, root, "port");
      port.setAttribute("name", binding);
      port.setAttribute("binding", tns + binding);
      Xml.append(port, soap, "address").setAttribute("location", Reference.HERE);
    }
    Map<String, Document> documents = new LinkedHashMap<>();
    documents.put("wsdl", document);
    return documents;
  }

  private static Element bind(Element root, String name, String type, String namespace, String prefix) {
    Element binding = Xml.append(root, root, "binding");
    binding.setAttribute("name", name);
    binding.setAttribute("type", type);
    Element soap =
        root.getOwnerDocument().createElementNS(namespace, Xml.text(root, namespace, "binding", prefix));
    binding.appendChild(soap);
    soap.setAttribute("style", "document");
    soap.setAttribute("transport", "http://schemas.xmlsoap.org/soap/http");
    return soap;
  }
}
