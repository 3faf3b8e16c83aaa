package org.understudy.container.request;

import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import javax.xml.namespace.QName;
import org.apache.cxf.endpoint.Endpoint;
import org.apache.cxf.service.invoker.MethodDispatcher;
import org.apache.cxf.service.model.BindingOperationInfo;
import org.apache.cxf.service.model.MessagePartInfo;
import org.understudy.replication.api.Read;
import org.understudy.replication.api.ReadLevel;

/**
 * A service's operations by the element that stands first in the body. Looked up once at deployment, so that a request
 * costs a map access and no reflection.
 */
public final class Operations {
  /**
   * @param read null for an update; else the level that the service declares
   */
  public record Operation(ReadLevel read, boolean declared) {}

  private static final Operation UPDATE = new Operation(null, true);
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
          byElement.put(part.getElementQName(), operation(dispatcher.getMethod(operation), implementation, usual));
        }
      }
    }
  }

  private static Operation operation(Method method, Class<?> implementation, ReadLevel usual) {
    try {
      Read read = implementation.getMethod(method.getName(), method.getParameterTypes()).getAnnotation(Read.class);
      if (read == null) {
        return UPDATE;
      }
      boolean stricter = read.value() == ReadLevel.LINEARIZABLE;
      return new Operation(stricter ? usual : read.value(), true);
    } catch (NoSuchMethodException e) {
      return UPDATE;
    }
  }

  /** Null when the service has no such operation. */
  Operation find(QName element) {
    return element == null ? null : byElement.get(element);
  }

  @Override
  public String toString() {
    return byElement.keySet().toString();
  }
}
