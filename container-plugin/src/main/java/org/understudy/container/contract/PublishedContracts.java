package org.understudy.container.contract;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import javax.xml.namespace.QName;
import org.apache.cxf.Bus;
import org.understudy.container.operation.Endpoint;
import org.understudy.container.operation.StandardOperation;
import org.w3c.dom.Document;

/**
 * The contracts of a web application's endpoints, behind {@code ?wsdl} of their addresses; what they import is behind {@code
 * ?wsdl=name} and {@code ?xsd=name} of the same address, so that no client leaves the machine for it. A contract tells
 * exactly the operations that its {@link Endpoint} has: it is composed when the endpoint is added.
 *
 * <p>Filled by one thread at deployment; from then on any thread may ask. Asking does not block.
 */
public final class PublishedContracts {
  /** The namespace of the port types of the plugin's own endpoints. */
  public static final String NAMESPACE = "urn:understudy:services:1";

  private final StandardContracts standards = new StandardContracts();
  private final Map<Endpoint, Contract> contracts = new HashMap<>();
  private final URI application;

  /** @param application the URL of this replica's web application, for clients that do not say how they call it */
  public PublishedContracts(URI application) {
    this.application = application;
  }

  /**
   * Publishes a service's own contract with the standard operations that have been added to its endpoint. An operation that
   * the service's WSDL declares itself is not added twice; one that no standard knows is not published.
   *
   * @param service as CXF has it
   * @param properties null when the service has none
   * @throws IllegalStateException when the contract is incomplete, or an operation has the name of a standard one
   */
  public void add(
      Endpoint endpoint, Bus bus, org.apache.cxf.endpoint.Endpoint service, ResourceProperties properties) {
    add(
        endpoint,
        ServiceDocuments.of(bus, service),
        service.getEndpointInfo().getInterface().getName(),
        properties);
  }

  /**
   * Publishes the contract of an endpoint of the plugin's: a port type of {@link #NAMESPACE}, named after the last part of
   * the path, with bindings for SOAP 1.1 and 1.2.
   *
   * @param properties null when its resources have none
   */
  public void add(Endpoint endpoint, ResourceProperties properties) {
    String name = endpoint.path().substring(endpoint.path().lastIndexOf('/') + 1);
    // Not as the standard's port type is called, which the contract imports: some tools look only at local names.
    QName portType = new QName(NAMESPACE, name + "PortType");
    add(endpoint, ServiceDocuments.of(name, portType), portType, properties);
  }

  private void add(
      Endpoint endpoint, Map<String, Document> documents, QName portType, ResourceProperties properties) {
    Set<QName> operations = new HashSet<>();
    for (StandardOperation operation : endpoint.operations()) {
      operations.add(operation.element());
    }
    Composition composition = new Composition(documents, standards, portType);
    composition.add(operations);
    if (properties != null) {
      composition.add(properties, operations);
    }
    contracts.put(endpoint, new Contract(documents, standards));
  }

  /**
   * Answers a GET or HEAD that asks for a contract.
   *
   * @param endpoint at the request's path
   * @return false when this was not for a contract that is published here; nothing is written then
   */
  public boolean answer(Endpoint endpoint, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Contract contract = contracts.get(endpoint);
    if (contract == null || !Contract.isAskedBy(request.getQueryString())) {
      return false;
    }
    byte[] document = contract.document(request.getQueryString(), address(request));
    if (document == null) {
      response.sendError(HttpServletResponse.SC_NOT_FOUND, "The contract has no such document; begin with ?wsdl.");
    } else {
      response.setContentType("text/xml;charset=UTF-8");
      response.setContentLength(document.length);
      if (!request.getMethod().equals("HEAD")) {
        response.getOutputStream().write(document);
      }
    }
    return true;
  }

  /** As the client calls it, since that is how it gets here. */
  private String address(HttpServletRequest request) {
    return request.getHeader("Host") != null
        ? request.getRequestURL().toString()
        : application + request.getRequestURI().substring(request.getContextPath().length());
  }
}
