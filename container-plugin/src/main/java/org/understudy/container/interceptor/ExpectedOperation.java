package org.understudy.container.interceptor;

import java.util.function.Function;
import javax.xml.namespace.QName;
import org.apache.cxf.binding.soap.SoapFault;
import org.apache.cxf.binding.soap.SoapMessage;
import org.apache.cxf.binding.soap.interceptor.AbstractSoapInterceptor;
import org.apache.cxf.phase.Phase;
import org.apache.cxf.service.model.BindingOperationInfo;
import org.apache.cxf.transport.http.AbstractHTTPDestination;

/**
 * Rejects a message for which the service's stack selects another operation than the one that the plugin has permitted. So an update
 * is never executed as a read.
 */
public final class ExpectedOperation extends AbstractSoapInterceptor {
  private final Function<Object, QName> expected;

  /** @param expected returns the permitted operation's name for a transport request; null disables the check */
  public ExpectedOperation(Function<Object, QName> expected) {
    super(Phase.PRE_INVOKE);
    this.expected = expected;
  }

  @Override
  public void handleMessage(SoapMessage message) {
    QName name = expected.apply(message.get(AbstractHTTPDestination.HTTP_REQUEST));
    BindingOperationInfo operation = message.getExchange().getBindingOperationInfo();
    if (name != null && (operation == null || !operation.getName().equals(name))) {
      throw new SoapFault(
          "The Body requests the operation " + name.getLocalPart() + ", and another part of the message requests "
              + (operation == null ? "none" : operation.getName().getLocalPart()) + ". Nothing was executed.",
          message.getVersion().getSender());
    }
  }
}
