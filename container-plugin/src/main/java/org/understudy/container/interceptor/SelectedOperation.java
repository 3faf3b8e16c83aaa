package org.understudy.container.interceptor;

import java.util.function.Function;
import javax.xml.namespace.QName;
import org.apache.cxf.binding.soap.SoapMessage;
import org.apache.cxf.binding.soap.interceptor.AbstractSoapInterceptor;
import org.apache.cxf.message.Exchange;
import org.apache.cxf.phase.Phase;
import org.apache.cxf.service.model.BindingOperationInfo;
import org.apache.cxf.transport.http.AbstractHTTPDestination;

/**
 * Applies the plugin's selection of the operation to a request whose Body does not show it. The service's stack would select by other
 * rules.
 */
public final class SelectedOperation extends AbstractSoapInterceptor {
  private final Function<Object, QName> selected;

  /** @param selected returns the operation's name for a transport request; null if the Body shows the operation */
  public SelectedOperation(Function<Object, QName> selected) {
    super(Phase.POST_PROTOCOL);
    this.selected = selected;
  }

  @Override
  public void handleMessage(SoapMessage message) {
    QName name = selected.apply(message.get(AbstractHTTPDestination.HTTP_REQUEST));
    if (name == null) {
      return;
    }
    Exchange exchange = message.getExchange();
    for (BindingOperationInfo operation : exchange.getBinding().getBindingInfo().getOperations()) {
      if (operation.getName().equals(name)) {
        exchange.put(BindingOperationInfo.class, operation);
        exchange.setOneWay(operation.getOutput() == null);
      }
    }
  }
}
