package org.understudy.container.deployment;

import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import javax.xml.namespace.QName;
import org.apache.cxf.endpoint.Endpoint;
import org.apache.cxf.service.invoker.MethodDispatcher;
import org.apache.cxf.service.model.AbstractMessageContainer;
import org.apache.cxf.service.model.BindingOperationInfo;
import org.apache.cxf.service.model.FaultInfo;
import org.apache.cxf.service.model.MessageInfo;
import org.apache.cxf.service.model.MessagePartInfo;
import org.understudy.container.request.Operations.Operation;
import org.understudy.replication.api.Read;
import org.understudy.replication.api.ReadLevel;

/** The operations of a service's own, as CXF has them from its contract or its code. */
final class CxfOperations {
  private static final QName ACTION = new QName("http://www.w3.org/2007/05/addressing/metadata", "Action");

  private CxfOperations() {}

  /**
   * Returns them by the element that stands in the body.
   *
   * @param implementation whose methods carry {@link Read}
   * @param usual level of a {@link Read} that names none
   */
  static Map<QName, Operation> of(Endpoint endpoint, Class<?> implementation, ReadLevel usual) {
    Map<QName, Operation> operations = new HashMap<>();
    MethodDispatcher dispatcher = (MethodDispatcher) endpoint.getService().get(MethodDispatcher.class.getName());
    for (BindingOperationInfo operation : endpoint.getBinding().getBindingInfo().getOperations()) {
      BindingOperationInfo wrapped = operation.isUnwrapped() ? operation.getWrappedOperation() : operation;
      for (MessagePartInfo part : wrapped.getInput().getMessageParts()) {
        if (part.isElement()) {
          operations.put(
              part.getElementQName(),
              new Operation(
                  read(dispatcher.getMethod(operation), implementation, usual), answer(wrapped), faults(wrapped), null));
        }
      }
    }
    return operations;
  }

  private static ReadLevel read(Method method, Class<?> implementation, ReadLevel usual) {
    try {
      Read read = implementation.getMethod(method.getName(), method.getParameterTypes()).getAnnotation(Read.class);
      return read == null ? null : read.value() == ReadLevel.LINEARIZABLE ? usual : read.value();
    } catch (NoSuchMethodException e) {
      return null;
    }
  }

  /** As declared in the contract, or by the pattern of WS-Addressing 1.0 Metadata, section 4.4.4. */
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
}
