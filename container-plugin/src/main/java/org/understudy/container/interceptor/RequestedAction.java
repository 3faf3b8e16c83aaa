package org.understudy.container.interceptor;

import jakarta.servlet.http.HttpServletRequest;
import org.apache.cxf.binding.soap.SoapBindingConstants;
import org.apache.cxf.binding.soap.SoapMessage;
import org.apache.cxf.binding.soap.interceptor.AbstractSoapInterceptor;
import org.apache.cxf.binding.soap.interceptor.EndpointSelectionInterceptor;
import org.apache.cxf.binding.soap.interceptor.ReadHeadersInterceptor;
import org.apache.cxf.binding.soap.interceptor.SoapActionInInterceptor;
import org.apache.cxf.endpoint.Endpoint;
import org.apache.cxf.phase.Phase;
import org.apache.cxf.transport.http.AbstractHTTPDestination;
import org.understudy.container.operation.Operations;

/**
 * Lets interceptors and the service see the action of a request, and does not select the operation by it, as CXF would: the plugin has
 * permitted the operation that the Body shows. With a different action, a client could have an update executed as a read.
 */
public final class RequestedAction extends AbstractSoapInterceptor {
  private RequestedAction() {
    super(Phase.READ);
    addAfter(ReadHeadersInterceptor.class.getName());
    addAfter(EndpointSelectionInterceptor.class.getName());
  }

  /** Replaces CXF's own interceptor at an endpoint. Call it before the endpoint receives requests. */
  public static void install(Endpoint endpoint) {
    endpoint.getBinding().getInInterceptors().removeIf(SoapActionInInterceptor.class::isInstance);
    endpoint.getInInterceptors().add(new RequestedAction());
  }

  @Override
  public void handleMessage(SoapMessage message) {
    if (message.get(AbstractHTTPDestination.HTTP_REQUEST) instanceof HttpServletRequest request) {
      String action = Operations.action(request);
      if (action != null) {
        message.put(SoapBindingConstants.SOAP_ACTION, action);
      }
    }
  }
}
