package org.understudy.client;

import java.util.List;
import java.util.Map;
import org.apache.cxf.interceptor.Fault;
import org.apache.cxf.message.Message;
import org.apache.cxf.message.MessageContentsList;
import org.apache.cxf.phase.AbstractPhaseInterceptor;
import org.apache.cxf.phase.Phase;
import org.apache.cxf.service.model.BindingOperationInfo;

/**
 * Refuses a call with a value that the service's contract has no element for. CXF would send the call without it, and the caller would not
 * learn that it was lost. {@link PortOperations} finds such parameters.
 */
final class UnsentParameters extends AbstractPhaseInterceptor<Message> {
  UnsentParameters() {
    super(Phase.SETUP);
  }

  @Override
  public void handleMessage(Message message) {
    BindingOperationInfo operation = message.getExchange().getBindingOperationInfo();
    if (operation == null
        || !(wrapped(operation).getOperationInfo().getProperty(UnsentParameters.class.getName()) instanceof Map<?, ?> unsent)) {
      return;
    }
    List<?> values = MessageContentsList.getContentsList(message);
    unsent.forEach((position, name) -> {
      int i = (Integer) position;
      if (values != null && i < values.size() && values.get(i) != null) {
        throw new Fault(
            new IllegalArgumentException(
                "The call of " + operation.getName().getLocalPart() + " was not sent: the service's contract has no element " + name
                    + ", so the value would be lost. Pass null, or use the interface of the service's version."));
      }
    });
  }

  private static BindingOperationInfo wrapped(BindingOperationInfo operation) {
    return operation.isUnwrapped() ? operation.getWrappedOperation() : operation;
  }
}
