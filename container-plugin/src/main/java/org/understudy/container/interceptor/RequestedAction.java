package org.understudy.container.interceptor;

import java.util.function.Function;
import org.apache.cxf.binding.soap.SoapBindingConstants;
import org.apache.cxf.binding.soap.SoapMessage;
import org.apache.cxf.binding.soap.interceptor.AbstractSoapInterceptor;
import org.apache.cxf.binding.soap.interceptor.EndpointSelectionInterceptor;
import org.apache.cxf.binding.soap.interceptor.ReadHeadersInterceptor;
import org.apache.cxf.binding.soap.interceptor.SoapActionInInterceptor;
import org.apache.cxf.endpoint.Endpoint;
import org.apache.cxf.phase.Phase;
import org.apache.cxf.transport.http.AbstractHTTPDestination;

/**
 * Lets interceptors and the service see the action of a request, and does not select the operation by it, as CXF would: the plugin has
 * permitted the operation that the Body shows. With a different action, a client could have an update executed as a read.
 */
public final class RequestedAction extends AbstractSoapInterceptor {
  private final Function<Object, String> action;

  private RequestedAction(Function<Object, String> action) {
    super(Phase.READ);
    addAfter(ReadHeadersInterceptor.class.getName());
    addAfter(EndpointSelectionInterceptor.class.getName());
    this.action = action;
  }

  /**
   * Replaces CXF's own interceptor at an endpoint. Call it before the endpoint receives requests.
   *
   * @param action returns the action that a transport request names, or null
   */
  public static void install(Endpoint endpoint, Function<Object, String> action) {
    endpoint.getBinding().getInInterceptors().removeIf(SoapActionInInterceptor.class::isInstance);
    endpoint.getInInterceptors().add(new RequestedAction(action));
  }

  @Override
  public void handleMessage(SoapMessage message) {
    String named = action.apply(message.get(AbstractHTTPDestination.HTTP_REQUEST));
    if (named != null) {
      message.put(SoapBindingConstants.SOAP_ACTION, named);
    }
  }
}
