package org.understudy.container.operation;

import jakarta.servlet.http.HttpServletRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.namespace.QName;
import org.understudy.container.caller.SentContentType;
import org.understudy.container.soap.EnvelopeReader;
import org.understudy.container.soap.RequestEnvelope;
import org.understudy.container.transaction.TransactionOperation;
import org.understudy.soap.envelope.BadEnvelopeException;
import org.understudy.soap.envelope.SoapFault;
import org.understudy.soap.mime.ContentType;
import org.understudy.soap.mime.RequestMessage;
import org.understudy.wsrf.operation.Endpoint;
import org.understudy.wsrf.operation.StandardOperation;

/**
 * Maps the first element of the Body to a service's operation. The map is built once at deployment, so that a request costs one
 * map access and no reflection. Immutable.
 */
public final class Operations {
  /** The key for an empty Body. */
  public static final QName EMPTY_BODY = new QName("");
  /** The key for any content of the Body other than a standard operation. */
  public static final QName ANY_BODY = new QName("*");

  /** The operations on transactions, at every endpoint. */
  private static final Map<QName, Operation> OF_TRANSACTIONS =
      Stream.of(TransactionOperation.values())
          .collect(
              Collectors.toUnmodifiableMap(
                  TransactionOperation::element, one -> new Operation(one.read(), one.answer(), Map.of(), one)));
  private static final Operation UNKNOWN = new Operation(null, "", Map.of(), null);

  private final Map<QName, Operation> byElement;
  private final Map<QName, Operation> byName = new HashMap<>();
  private final Endpoint service;
  private final Map<StandardOperation, Operation> standards = new HashMap<>();
  private final boolean afterCxf;

  /**
   * @param service the endpoint of the service's own operations; null without a service
   * @param own the service's own operations by the first element of the Body
   * @param endpoints the endpoints with standard operations
   */
  public Operations(Endpoint service, Map<QName, Operation> own, List<Endpoint> endpoints) {
    this(service, own, endpoints, false);
  }

  private Operations(Endpoint service, Map<QName, Operation> own, List<Endpoint> endpoints, boolean afterCxf) {
    this.afterCxf = afterCxf;
    this.service = service;
    this.byElement = Map.copyOf(own);
    for (Operation one : own.values()) {
      List<Operation> same = one.alternatives().isEmpty() ? List.of(one) : one.alternatives();
      same.stream().filter(operation -> operation.name() != null).forEach(operation -> byName.put(operation.name(), operation));
    }
    for (Endpoint standard : endpoints) {
      for (StandardOperation operation : standard.operations()) {
        standards.put(operation, new Operation(operation.read(), operation.answer(), Map.of(), operation));
      }
    }
  }

  /**
   * Creates the operations of a service whose requests are replicated behind CXF's interceptors. Until CXF has processed a
   * message, its operation is unknown and its content is not authenticated.
   */
  public static Operations afterCxf(Endpoint service, Map<QName, Operation> own, List<Endpoint> endpoints) {
    return new Operations(service, own, endpoints, true);
  }

  /** Whether requests to this endpoint are replicated behind CXF's interceptors. */
  public boolean isAfterCxf(Endpoint endpoint) {
    return afterCxf && endpoint == service;
  }

  /** Returns the probable operation of an unauthenticated message, to select a replica; an update if it is unknown. */
  public Operation presumed(RequestEnvelope envelope) {
    Operation operation = envelope.operation() == null ? null : byElement.get(envelope.operation());
    return operation == null ? UNKNOWN : operation.calledWith(envelope.header());
  }

  /**
   * Returns the operation that a message requests.
   *
   * @param action that the transport names, or null; used only if the Body does not determine the operation
   * @throws BadEnvelopeException when the operation is unknown at the endpoint, the request has an unknown header that must
   *     be understood, or its reply endpoint is not supported
   */
  public Operation of(Endpoint endpoint, RequestMessage message, RequestEnvelope envelope, String action) throws BadEnvelopeException {
    QName element = envelope.operation();
    Operation operation = endpoint == service ? own(message, envelope, action) : null;
    if (operation != null) {
      // The service's stack checks mustUnderstand, because it may know more headers.
      envelope.requireAnswerable(operation.oneWay());
      return operation.calledWith(envelope.header());
    }
    envelope.requireUnderstood();
    Operation ofTransaction = element == null ? null : OF_TRANSACTIONS.get(element);
    if (ofTransaction != null) {
      envelope.requireAnswerable(false);
      return ofTransaction;
    }
    StandardOperation standard = element == null ? null : endpoint.operation(element);
    envelope.requireAnswerable(standard != null && standard.answer() == null);
    if (standard == null) {
      String why = element == null ? "The body is empty." : unknown(element);
      throw new BadEnvelopeException(envelope.version(), SoapFault.sender(why), envelope.properties());
    }
    return standards.get(standard);
  }

  /**
   * Returns the operation that the service's stack has selected.
   *
   * @param name in the service's contract
   * @throws BadEnvelopeException when the operation is unknown, or the request's reply endpoint is not supported
   */
  public Operation selected(QName name, RequestEnvelope envelope) throws BadEnvelopeException {
    Operation operation = byElement.getOrDefault(ANY_BODY, byName.get(name));
    envelope.requireAnswerable(operation != null && operation.oneWay());
    if (operation == null) {
      throw new BadEnvelopeException(
          envelope.version(), SoapFault.sender(unknown(name)), envelope.properties());
    }
    return operation.calledWith(envelope.header());
  }

  /** Returns the reason for an operation that the service does not have, for example because the client has another version's contract. */
  private String unknown(QName operation) {
    String namespaces =
        byElement.keySet().stream()
            .filter(known -> known.getLocalPart().equals(operation.getLocalPart()))
            .map(QName::getNamespaceURI)
            .collect(Collectors.joining(", "));
    return "The service has no operation " + operation + (namespaces.isEmpty() ? "" : "; it has one of this name in " + namespaces)
        + ". Nothing was executed.";
  }

  private Operation own(RequestMessage message, RequestEnvelope envelope, String action) throws BadEnvelopeException {
    QName element = envelope.operation();
    Operation any = byElement.get(ANY_BODY);
    if (any != null && (element == null || service.operation(element) == null)) {
      // The service's stack passes the Body on before it has read it to the end.
      EnvelopeReader.requireWhole(message, envelope);
      return any;
    }
    Operation found = byElement.get(element == null ? EMPTY_BODY : element);
    return found == null || found.alternatives().isEmpty() ? found : selected(found.alternatives(), envelope, action);
  }

  /** Returns the alternative that all actions of the request name. */
  private static Operation selected(List<Operation> alternatives, RequestEnvelope envelope, String action)
      throws BadEnvelopeException {
    String addressing = envelope.properties().action();
    Operation selected = null;
    for (Operation one : alternatives) {
      boolean named = action != null && one.actions().contains(action) || addressing != null && one.actions().contains(addressing);
      boolean other =
          action != null && !one.actions().contains(action) || addressing != null && !one.actions().contains(addressing);
      selected = named && !other ? one : selected;
    }
    if (selected == null) {
      List<String> names = alternatives.stream().map(one -> one.name().getLocalPart()).toList();
      throw new BadEnvelopeException(
          envelope.version(),
          SoapFault.sender(
              "The Body fits the operations " + String.join(", ", names)
                  + ". Send the Action of one of them in SOAPAction or wsa:Action, and no other."),
          envelope.properties());
    }
    return selected;
  }

  /** Returns the action in the header of SOAP 1.1 or the parameter of 1.2; null if it is missing or empty. */
  public static String action(HttpServletRequest request) {
    String header = request.getHeader("SOAPAction");
    String action = header == null ? ContentType.of(SentContentType.of(request)).parameter("action") : header.strip();
    if (action != null && action.length() > 1 && action.startsWith("\"") && action.endsWith("\"")) {
      action = action.substring(1, action.length() - 1);
    }
    return action == null || action.isEmpty() ? null : action;
  }

  @Override
  public String toString() {
    return byElement.keySet().toString();
  }
}
