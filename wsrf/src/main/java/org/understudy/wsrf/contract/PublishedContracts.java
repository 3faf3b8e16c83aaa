package org.understudy.wsrf.contract;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import javax.xml.namespace.QName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.wsrf.operation.Endpoint;
import org.understudy.wsrf.operation.StandardOperation;
import org.w3c.dom.Document;

/**
 * The contracts of a web application's endpoints, by the queries of their addresses: {@code wsdl}; what they import is behind
 * {@code wsdl=name} and {@code xsd=name} of the same address, so that clients need no other server. A contract has
 * exactly the operations of its {@link Endpoint}: it is composed when the endpoint is added.
 *
 * <p>Filled by one thread at deployment; from then on any thread may read it. Reads do not block.
 */
public final class PublishedContracts {
  /** The namespace of the port types of the plugin's own endpoints. */
  public static final String NAMESPACE = "urn:understudy:services:1";

  private static final Logger LOG = LoggerFactory.getLogger(PublishedContracts.class);

  private final StandardContracts standards = StandardContracts.shared();
  private final Map<Endpoint, Contract> contracts = new HashMap<>();

  /**
   * Publishes a service's own contract with the standard operations that have been added to its endpoint. An operation that
   * the service's WSDL declares itself is not added twice; one that no standard knows is not published.
   *
   * @param service its own contract
   * @param properties null when the service has none
   * @throws IllegalStateException when the contract is incomplete, or an operation has the name of a standard one
   */
  public void add(Endpoint endpoint, ServiceContract service, ResourceProperties properties) {
    add(endpoint, ServiceDocuments.of(service), service.portType(), properties);
  }

  /**
   * Publishes a service's own contract and adds nothing to it. Only what it imports from elsewhere and the jar contains is
   * taken from the jar, so that clients need no other server.
   *
   * @throws IllegalStateException when the contract is incomplete
   */
  public void addUnchanged(Endpoint endpoint, ServiceContract service) {
    Map<String, Document> documents = ServiceDocuments.of(service);
    synchronized (standards) {
      for (Document document : documents.values()) {
        for (Reference reference : Reference.of(document)) {
          if (reference.isElsewhere()) {
            standards.query(reference.namespace()).ifPresent(reference::pointTo);
          }
        }
      }
      put(endpoint, documents);
    }
  }

  private void put(Endpoint endpoint, Map<String, Document> documents) {
    for (Document document : documents.values()) {
      for (Reference reference : Reference.of(document)) {
        if (reference.isElsewhere()) {
          LOG.warn("The WSDL of {} imports {} from {}, which this server cannot provide: clients must reach that address to be "
              + "generated. Put the document beside the WSDL and import it from there.",
              endpoint.path(), reference.namespace(), reference.location());
        }
      }
    }
    contracts.put(endpoint, new Contract(documents, standards));
  }

  /**
   * Publishes the contract of an endpoint of the plugin's: a port type of {@link #NAMESPACE}, named after the last part of
   * the path, with bindings for SOAP 1.1 and 1.2.
   *
   * @param properties null when its resources have none
   */
  public void add(Endpoint endpoint, ResourceProperties properties) {
    add(endpoint, endpoint.path().substring(endpoint.path().lastIndexOf('/') + 1), properties);
  }

  /**
   * Like the other, with a name other than the path's.
   *
   * @param name without {@code PortType}
   */
  public void add(Endpoint endpoint, String name, ResourceProperties properties) {
    // A name different from that of the imported standard's port type, because some tools compare only local names.
    QName portType = new QName(NAMESPACE, name + "PortType");
    add(endpoint, ServiceDocuments.of(name, portType), portType, properties);
  }

  private void add(
      Endpoint endpoint, Map<String, Document> documents, QName portType, ResourceProperties properties) {
    Set<QName> operations = new HashSet<>();
    for (StandardOperation operation : endpoint.operations()) {
      operations.add(operation.element());
    }
    synchronized (standards) {
      Composition composition = new Composition(documents, standards, portType);
      composition.add(operations);
      if (properties != null) {
        composition.add(properties, operations);
      }
      put(endpoint, documents);
    }
  }

  /** Whether the query of a GET names the contract of an endpoint that is published here. */
  public boolean isAsked(Endpoint endpoint, String query) {
    return contracts.containsKey(endpoint) && Contract.isAskedBy(query);
  }

  /**
   * Returns a document of a contract.
   *
   * @param query as it came, for example {@code wsdl} or {@code xsd=b-2.xsd}
   * @param address where the endpoint is, as the caller knows it
   * @return null when the contract has no such document
   */
  public byte[] document(Endpoint endpoint, String query, String address) {
    return contracts.get(endpoint).document(query, address);
  }
}
