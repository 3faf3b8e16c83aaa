package org.understudy.container.request;

import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import javax.xml.namespace.QName;
import org.apache.cxf.endpoint.Endpoint;
import org.apache.cxf.service.invoker.MethodDispatcher;
import org.apache.cxf.service.model.BindingOperationInfo;
import org.apache.cxf.service.model.MessageInfo;
import org.apache.cxf.service.model.MessagePartInfo;
import org.understudy.container.soap.BadEnvelopeException;
import org.understudy.container.soap.RequestEnvelope;
import org.understudy.replication.api.Read;
import org.understudy.replication.api.ReadLevel;

/**
 * A service's operations by the element that stands first in the body. Looked up once at deployment, so that a request
 * costs a map access and no reflection.
 */
public final class Operations {
  /**
   * One of them.
   *
   * @param read null for an update; else the level that the service declares
   * @param answer WS-Addressing's action of the response; null when there is none
   */
  record Operation(ReadLevel read, String answer) {}

  private static final QName ACTION = new QName("http://www.w3.org/2007/05/addressing/metadata", "Action");
  private final Map<QName, Operation> byElement = new HashMap<>();

  /**
   * @param implementation whose methods carry {@link Read}
   * @param usual level of a {@link Read} that names none
   */
  public Operations(Endpoint endpoint, Class<?> implementation, ReadLevel usual) {
    MethodDispatcher dispatcher = (MethodDispatcher) endpoint.getService().get(MethodDispatcher.class.getName());
    for (BindingOperationInfo operation : endpoint.getBinding().getBindingInfo().getOperations()) {
      BindingOperationInfo wrapped = operation.isUnwrapped() ? operation.getWrappedOperation() : operation;
      for (MessagePartInfo part : wrapped.getInput().getMessageParts()) {
        if (part.isElement()) {
          byElement.put(
              part.getElementQName(),
              new Operation(read(dispatcher.getMethod(operation), implementation, usual), answer(wrapped)));
        }
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
    Object declared = output.getExtensionAttribute(ACTION);
    if (declared != null) {
      return declared instanceof QName name ? name.getLocalPart() : declared.toString();
    }
    QName port = operation.getOperationInfo().getInterface().getName();
    String delimiter = port.getNamespaceURI().startsWith("urn:") ? ":" : "/";
    String namespace = port.getNamespaceURI();
    return (namespace.endsWith(delimiter) ? namespace : namespace + delimiter)
        + port.getLocalPart() + delimiter + operation.getName().getLocalPart() + "Response";
  }

  /**
   * The operation that an envelope asks for.
   *
   * @throws BadEnvelopeException when the service has no such operation
   */
  Operation of(RequestEnvelope envelope) throws BadEnvelopeException {
    if (envelope.operation() == null) {
      throw new BadEnvelopeException(envelope.version(), "The body is empty.");
    }
    Operation operation = byElement.get(envelope.operation());
    if (operation == null) {
      throw new BadEnvelopeException(
          envelope.version(), "The service has no operation " + envelope.operation() + ".");
    }
    return operation;
  }

  @Override
  public String toString() {
    return byElement.keySet().toString();
  }
}
