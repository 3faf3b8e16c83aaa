package org.understudy.container.request;

import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.xml.namespace.QName;
import org.apache.cxf.service.invoker.MethodDispatcher;
import org.apache.cxf.service.model.AbstractMessageContainer;
import org.apache.cxf.service.model.BindingOperationInfo;
import org.apache.cxf.service.model.FaultInfo;
import org.apache.cxf.service.model.MessageInfo;
import org.apache.cxf.service.model.MessagePartInfo;
import org.understudy.container.soap.RequestEnvelope;
import org.understudy.replication.api.Read;
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
  record Operation(ReadLevel read, String answer, Map<QName, String> faults, StandardOperation standard) {
    boolean oneWay() {
      return answer == null;
    }
  }

  private static final QName ACTION = new QName("http://www.w3.org/2007/05/addressing/metadata", "Action");
  private final Map<QName, Operation> byElement = new HashMap<>();
  private final Endpoint service;
  private final Map<StandardOperation, Operation> standards = new HashMap<>();

  /**
   * @param service where the operations of the service's own are
   * @param endpoints where standard ones are
   * @param implementation whose methods carry {@link Read}
   * @param usual level of a {@link Read} that names none
   */
  public Operations(
      org.apache.cxf.endpoint.Endpoint endpoint,
      Class<?> implementation,
      ReadLevel usual,
      Endpoint service,
      List<Endpoint> endpoints) {
    this.service = service;
    addStandard(endpoints);
    MethodDispatcher dispatcher = (MethodDispatcher) endpoint.getService().get(MethodDispatcher.class.getName());
    for (BindingOperationInfo operation : endpoint.getBinding().getBindingInfo().getOperations()) {
      BindingOperationInfo wrapped = operation.isUnwrapped() ? operation.getWrappedOperation() : operation;
      for (MessagePartInfo part : wrapped.getInput().getMessageParts()) {
        if (part.isElement()) {
          byElement.put(
              part.getElementQName(),
              new Operation(
                  read(dispatcher.getMethod(operation), implementation, usual), answer(wrapped), faults(wrapped), null));
        }
      }
    }
  }

  /** Standard operations alone: there is no service. */
  public Operations(List<Endpoint> endpoints) {
    this.service = null;
    addStandard(endpoints);
  }

  private void addStandard(List<Endpoint> endpoints) {
    for (Endpoint standard : endpoints) {
      for (StandardOperation operation : standard.operations()) {
        standards.put(operation, new Operation(operation.read(), operation.answer(), Map.of(), operation));
      }
    }
  }

  private static ReadLevel read(Method method, Class<?> implementation, ReadLevel usual) {
    try {
      Read read = implementation.getMethod(method.getName(), method.getParameterTypes()).getAnnotation(Read.class);
      return read == null ? null : read.value() == ReadLevel.LINEARIZABLE ? usual : read.value();
    } catch (NoSuchMethodException e) {
      return null;
    }
  }

  /** As the contract says, or by the pattern of WS-Addressing 1.0 Metadata, section 4.4.4. */
  private static String answer(BindingOperationInfo operation) {
    MessageInfo output = operation.getOperationInfo().getOutput();
    if (output == null) {
      return null;
    }
    return action(output, operation, operation.getName().getLocalPart() + "Response");
  }

  private static Map<QName, String> faults(BindingOperationInfo operation) {
    Map<QName, String> faults = new HashMap<>();
    for (FaultInfo fault : operation.getOperationInfo().getFaults()) {
      String delimiter = delimiter(operation.getOperationInfo().getInterface().getName());
      String last = operation.getName().getLocalPart() + delimiter + "Fault" + delimiter + fault.getFaultName().getLocalPart();
      for (MessagePartInfo part : fault.getMessageParts()) {
        if (part.isElement()) {
          faults.put(part.getElementQName(), action(fault, operation, last));
        }
      }
    }
    return Map.copyOf(faults);
  }

  private static String action(AbstractMessageContainer message, BindingOperationInfo operation, String last) {
    Object declared = message.getExtensionAttribute(ACTION);
    if (declared != null) {
      return declared instanceof QName name ? name.getLocalPart() : declared.toString();
    }
    QName port = operation.getOperationInfo().getInterface().getName();
    String delimiter = delimiter(port);
    String namespace = port.getNamespaceURI();
    return (namespace.endsWith(delimiter) ? namespace : namespace + delimiter) + port.getLocalPart() + delimiter + last;
  }

  private static String delimiter(QName port) {
    return port.getNamespaceURI().startsWith("urn:") ? ":" : "/";
  }

  /**
   * The operation that an envelope asks for.
   *
   * @throws BadEnvelopeException when there is no such operation at the endpoint, the request has a header that must be
   *     understood and is unknown, or its answer is wanted where answers do not go
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
