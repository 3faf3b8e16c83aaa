package org.understudy.container.invoker;

import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.cxf.binding.soap.SoapHeader;
import org.apache.cxf.binding.soap.SoapMessage;
import org.apache.cxf.continuations.SuspendedInvocationException;
import org.apache.cxf.endpoint.Endpoint;
import org.apache.cxf.helpers.DOMUtils;
import org.apache.cxf.interceptor.Fault;
import org.apache.cxf.interceptor.Interceptor;
import org.apache.cxf.interceptor.InterceptorProvider;
import org.apache.cxf.interceptor.MessageSenderInterceptor;
import org.apache.cxf.logging.FaultListener;
import org.apache.cxf.message.Exchange;
import org.apache.cxf.message.FaultMode;
import org.apache.cxf.message.Message;
import org.apache.cxf.message.MessageImpl;
import org.apache.cxf.phase.PhaseInterceptorChain;
import org.apache.cxf.phase.PhaseManager;
import org.apache.cxf.service.model.BindingMessageInfo;
import org.apache.cxf.service.model.BindingOperationInfo;
import org.apache.cxf.service.model.MessageInfo;
import org.apache.cxf.ws.addressing.Names;
import org.understudy.container.interceptor.StoredEnvelopes;
import org.understudy.container.request.InvokerExchange.Marshalled;
import org.understudy.container.response.BoundedContent;
import org.w3c.dom.Element;

/**
 * Marshals the result or the exception of a service into the message that is stored. Uses CXF's own marshalling interceptors, but none
 * that signs, encrypts, sends, or belongs to the user. Thread-safe.
 */
final class Marshalling {
  private static final List<String> PACKAGES =
      List.of(
          "org.apache.cxf.binding.soap.", "org.apache.cxf.interceptor.", "org.apache.cxf.jaxws.interceptors.",
          "org.apache.cxf.wsdl.interceptors.",
          "org.understudy.container.interceptor.");

  /**
   * Calls the service.
   *
   * @return the message with its result or its fault; null for an operation without response, and when the service has suspended the
   *     execution
   * @throws RuntimeException when the fault cannot be marshalled
   */
  Marshalled result(Exchange exchange, ServiceInvocation invocation, Supplier<Object> service) {
    Message in = exchange.getInMessage();
    BindingOperationInfo operation = exchange.getBindingOperationInfo();
    Message out = exchange.getOutMessage();
    Message outFault = exchange.getOutFaultMessage();
    in.remove(FaultMode.class.getName());
    try {
      return marshalled(exchange, invocation, service);
    } finally {
      exchange.setOutMessage(out);
      exchange.setOutFaultMessage(outFault);
      // CXF replaces it by the wrapped operation, for which it would not find the method.
      exchange.put(BindingOperationInfo.class, operation);
      exchange.remove(Exception.class.getName());
    }
  }

  private static Marshalled marshalled(Exchange exchange, ServiceInvocation invocation, Supplier<Object> service) {
    Endpoint endpoint = exchange.getEndpoint();
    Message message = endpoint.getBinding().createMessage(new MessageImpl());
    message.setExchange(exchange);
    Object result;
    try {
      exchange.setOutMessage(message);
      result = service.get();
    } catch (SuspendedInvocationException suspended) {
      if (!invocation.endPart()) {
        throw suspended;
      }
      return null;
    } catch (Fault fault) {
      invocation.fail();
      if (exchange.isOneWay()) {
        // As by CXF: what such an operation throws is logged, and the client has its acknowledgement.
        log(exchange, fault);
        return null;
      }
      return fault(exchange, fault, invocation.content());
    }
    if (invocation.endPart() || exchange.isOneWay()) {
      return null;
    }
    return response(exchange, message, result, invocation.content());
  }

  /**
   * Marshals a result, or the fault to which it leads.
   *
   * @param message the outgoing message of the exchange, without content
   * @param content takes the response; empty
   */
  static Marshalled response(Exchange exchange, Message message, Object result, BoundedContent content) {
    BindingOperationInfo operation = exchange.getBindingOperationInfo();
    if (operation != null) {
      message.put(MessageInfo.class, operation.getOperationInfo().getOutput());
      message.put(BindingMessageInfo.class, operation.getOutput());
    }
    if (result instanceof List<?> list) {
      message.setContent(List.class, list);
    } else if (result != null) {
      message.setContent(Object.class, result);
    }
    List<Interceptor<? extends Message>> all = new ArrayList<>();
    for (InterceptorProvider provider : providers(exchange)) {
      all.addAll(provider.getOutInterceptors());
    }
    try {
      return marshal(exchange, message, all, false, content);
    } catch (UnmarshallableException e) {
      // For example a response that is invalid where the service validates responses. CXF would send this fault, too.
      return fault(exchange, e.getCause() instanceof Fault fault ? fault : new Fault(e.getCause()), content.another());
    }
  }

  /** Thrown when the content of a message cannot be marshalled. */
  private static final class UnmarshallableException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    UnmarshallableException(Exception cause) {
      super("The response of the service cannot be marshalled: " + cause.getMessage(), cause);
    }
  }

  /** Marshals a fault. */
  static Marshalled fault(Exchange exchange, Fault fault, BoundedContent content) {
    log(exchange, fault);
    Message in = exchange.getInMessage();
    BindingOperationInfo operation = exchange.getBindingOperationInfo();
    Message message = exchange.getEndpoint().getBinding().createMessage(new MessageImpl());
    message.setExchange(exchange);
    message.setContent(Exception.class, fault);
    FaultMode mode = in.get(FaultMode.class);
    if (mode != null) {
      message.put(FaultMode.class, mode);
    }
    if (in.get(StoredEnvelopes.ADDRESSED) != null && operation != null && message instanceof SoapMessage soap) {
      // What sends the stored fault does not know the exception.
      Element action = DOMUtils.getEmptyDocument().createElementNS(Names.WSA_NAMESPACE_NAME, "wsa:" + Names.WSA_ACTION_NAME);
      action.setTextContent(AddressingActions.ofFault(operation, fault));
      soap.getHeaders().add(new SoapHeader(Names.WSA_ACTION_QNAME, action));
    }
    exchange.setOutMessage(null);
    exchange.setOutFaultMessage(message);
    List<Interceptor<? extends Message>> all = new ArrayList<>();
    for (InterceptorProvider provider : providers(exchange)) {
      all.addAll(provider.getOutFaultInterceptors());
    }
    return marshal(exchange, message, all, true, content);
  }

  private static void log(Exchange exchange, Fault fault) {
    Message in = exchange.getInMessage();
    if (in.getContextualProperty(FaultListener.class.getName()) instanceof FaultListener log) {
      log.faultOccurred(fault, String.valueOf(exchange.getBindingOperationInfo()), in);
    }
  }

  private static List<InterceptorProvider> providers(Exchange exchange) {
    Endpoint endpoint = exchange.getEndpoint();
    List<InterceptorProvider> providers =
        new ArrayList<>(List.of(exchange.getBus(), endpoint.getService(), endpoint, endpoint.getBinding()));
    if (endpoint.getService().getDataBinding() instanceof InterceptorProvider binding) {
      providers.add(binding);
    }
    return providers;
  }

  private static Marshalled marshal(
      Exchange exchange, Message message, List<Interceptor<? extends Message>> all, boolean fault, BoundedContent content) {
    PhaseInterceptorChain chain =
        new PhaseInterceptorChain(exchange.getBus().getExtension(PhaseManager.class).getOutPhases());
    for (Interceptor<? extends Message> one : all) {
      if (marshals(one)) {
        chain.add(one);
      }
    }
    // Binary content stays in the Body, so that signatures and encryption cover it.
    message.put(Message.MTOM_ENABLED, false);
    message.setContent(OutputStream.class, content);
    message.setInterceptorChain(chain);
    Exception before = message.getContent(Exception.class);
    chain.doIntercept(message);
    Exception failure = message.getContent(Exception.class);
    if (failure != before) {
      throw new UnmarshallableException(failure);
    }
    return new Marshalled(fault, content, (String) message.get(Message.CONTENT_TYPE));
  }

  /** Whether this interceptor is a part of marshalling. */
  static boolean marshals(Interceptor<? extends Message> one) {
    String name = one.getClass().getName();
    return PACKAGES.stream().anyMatch(name::startsWith)
        && !ReplicationPlace.isOfUser(name)
        && !(one instanceof MessageSenderInterceptor)
        && !(one instanceof StoredEnvelopes);
  }
}
