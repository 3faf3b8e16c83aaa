package org.understudy.container.request;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.xml.namespace.QName;
import org.understudy.container.soap.RequestEnvelope;
import org.understudy.replication.api.ReadLevel;
import org.understudy.soap.envelope.BadEnvelopeException;
import org.understudy.soap.envelope.SoapFault;
import org.understudy.wsrf.operation.Endpoint;
import org.understudy.wsrf.operation.StandardOperation;

/**
 * A service's operations by the element that stands first in the body. Looked up once at deployment, so that a request
 * costs a map access and no reflection.
 */
public final class Operations {
  /**
   * One of them.
   *
   * @param read null for an update; else the level that the service declares
   * @param answer WS-Addressing's action of the response; null when the operation has none
   * @param faults the actions of declared faults by the element in their detail; none for a standard operation
   * @param standard answers it in the place of the service; null for an operation of the service's own
   */
  public record Operation(ReadLevel read, String answer, Map<QName, String> faults, StandardOperation standard) {
    boolean oneWay() {
      return answer == null;
    }
  }

  private static final Operation UNKNOWN = new Operation(null, "", Map.of(), null);

  private final Map<QName, Operation> byElement;
  private final Endpoint service;
  private final Map<StandardOperation, Operation> standards = new HashMap<>();
  private final boolean afterCxf;

  /**
   * @param service where the operations of the service's own are; null where there is no service
   * @param own by the element that stands in the body
   * @param endpoints where standard ones are
   */
  public Operations(Endpoint service, Map<QName, Operation> own, List<Endpoint> endpoints) {
    this(service, own, endpoints, false);
  }

  private Operations(Endpoint service, Map<QName, Operation> own, List<Endpoint> endpoints, boolean afterCxf) {
    this.afterCxf = afterCxf;
    this.service = service;
    this.byElement = Map.copyOf(own);
    for (Endpoint standard : endpoints) {
      for (StandardOperation operation : standard.operations()) {
        standards.put(operation, new Operation(operation.read(), operation.answer(), Map.of(), operation));
      }
    }
  }

  /**
   * Those of a service whose requests are replicated behind CXF's interceptors: until CXF has processed a message, its
   * operation is not known, and nothing in it is authenticated.
   */
  public static Operations afterCxf(Endpoint service, Map<QName, Operation> own, List<Endpoint> endpoints) {
    return new Operations(service, own, endpoints, true);
  }

  /** Whether requests to this endpoint are replicated behind CXF's interceptors. */
  boolean isAfterCxf(Endpoint endpoint) {
    return afterCxf && endpoint == service;
  }

  /** What an unauthenticated message seems to request, to choose a replica by; an update when it does not show. */
  Operation presumed(RequestEnvelope envelope) {
    Operation operation = envelope.operation() == null ? null : byElement.get(envelope.operation());
    return operation == null ? UNKNOWN : operation;
  }

  /**
   * Returns the operation that an envelope requests.
   *
   * @throws BadEnvelopeException when the operation is unknown at the endpoint, the request has an unknown header that must
   *     be understood, or its reply endpoint is not supported
   */
  Operation of(Endpoint endpoint, RequestEnvelope envelope) throws BadEnvelopeException {
    QName element = envelope.operation();
    Operation operation = endpoint == service && element != null ? byElement.get(element) : null;
    if (operation != null) {
      // What must be understood, the service's stack checks: it may know more headers.
      envelope.requireAnswerable(operation.oneWay());
      return operation;
    }
    envelope.requireUnderstood();
    StandardOperation standard = element == null ? null : endpoint.operation(element);
    envelope.requireAnswerable(standard != null && standard.answer() == null);
    if (standard == null) {
      String why = element == null ? "The body is empty." : "The service has no operation " + element + ".";
      throw new BadEnvelopeException(envelope.version(), SoapFault.sender(why), envelope.properties());
    }
    return standards.get(standard);
  }

  @Override
  public String toString() {
    return byElement.keySet().toString();
  }
}
