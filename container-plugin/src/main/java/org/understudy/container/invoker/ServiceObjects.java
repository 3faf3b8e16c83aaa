package org.understudy.container.invoker;

import java.util.Collection;
import java.util.function.UnaryOperator;
import org.apache.cxf.endpoint.Endpoint;
import org.apache.cxf.jaxws.JAXWSMethodInvoker;
import org.apache.cxf.message.Exchange;
import org.apache.cxf.service.invoker.FactoryInvoker;
import org.apache.cxf.service.invoker.SingletonFactory;
import org.apache.cxf.transport.http.AbstractHTTPDestination;
import org.understudy.state.StateException;

/** Selects the object on which CXF calls the service: the one that the application has published, or a copy for this request. */
public final class ServiceObjects extends SingletonFactory {
  private final UnaryOperator<Object> copyFor;

  private ServiceObjects(Object bean, UnaryOperator<Object> copyFor) {
    super(bean);
    this.copyFor = copyFor;
  }

  /**
   * Installs the selection at all endpoints of a service, or at none. Call it before {@link ReplicatedInvoker#install}.
   *
   * @param bean the service object, behind the proxies of a container
   * @param copyFor returns the copy for a request of the transport, or null
   * @throws StateException when an endpoint does not call the object as CXF does by default; the message is the end of a sentence
   */
  public static void install(Object bean, Collection<Endpoint> endpoints, UnaryOperator<Object> copyFor) {
    for (Endpoint endpoint : endpoints) {
      if (endpoint.getService().getInvoker().getClass() != JAXWSMethodInvoker.class || !invoker(endpoint).isSingletonFactory()) {
        throw new StateException("the endpoint has an invoker of its own, which selects the object");
      }
      // The proxy has interceptors of the application, which each call must pass.
      if (invoker(endpoint).getServiceObject(null) != bean) {
        throw new StateException("a container has put the service object behind a proxy, which a second object would lack");
      }
    }
    endpoints.forEach(endpoint -> invoker(endpoint).setFactory(new ServiceObjects(bean, copyFor)));
  }

  private static FactoryInvoker invoker(Endpoint endpoint) {
    return (FactoryInvoker) endpoint.getService().getInvoker();
  }

  @Override
  public Object create(Exchange exchange) throws Throwable {
    Object copy = copyFor.apply(exchange.getInMessage().get(AbstractHTTPDestination.HTTP_REQUEST));
    return copy == null ? super.create(exchange) : copy;
  }
}
