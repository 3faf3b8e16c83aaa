package org.understudy.container.invoker;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.xml.ws.Holder;
import java.util.List;
import java.util.Set;
import org.apache.cxf.continuations.Continuation;
import org.apache.cxf.continuations.ContinuationProvider;
import org.apache.cxf.interceptor.InterceptorChain;
import org.apache.cxf.message.Exchange;
import org.apache.cxf.message.Message;
import org.apache.cxf.message.MessageContentsList;
import org.apache.cxf.transport.http.Servlet3ContinuationProvider;
import org.understudy.container.response.BoundedContent;
import org.understudy.container.response.CapturedResponse;

/**
 * One execution of the service for a message, as CXF sees it: its parameters and its continuation. The service may suspend it; then it
 * has several parts. A message has several of them if executions are rolled back. Accessed only by the thread of the current part.
 */
final class ServiceInvocation implements ContinuationProvider {
  private static final String PROVIDER = ContinuationProvider.class.getName();

  private final HttpServletRequest request;
  private final CapturedResponse response;
  private final InterceptorChain chain;
  private final Servlet3ContinuationProvider continuations;
  /** As CXF has read them. */
  private final Object received;
  private final Object parameters;
  /** What the exchange holds besides the properties of an execution. */
  private final Set<String> ofExchange;

  private ServiceInvocation(
      Message in, HttpServletRequest request, CapturedResponse response, Object received, Set<String> ofExchange) {
    this.request = request;
    this.response = response;
    this.chain = in.getInterceptorChain();
    this.continuations = new Servlet3ContinuationProvider(request, response, in);
    this.received = received;
    this.parameters = copy(received);
    this.ofExchange = ofExchange;
  }

  /**
   * Returns the invocation of an execution. The first part of an execution has a new one, and its exchange has no properties of earlier
   * executions, for example CXF's handler of an asynchronous method.
   *
   * @param request of the execution; the service suspends it with {@code startAsync}
   * @param response of the execution
   * @param parameters as CXF has read them from the message
   */
  static ServiceInvocation of(Exchange exchange, HttpServletRequest request, CapturedResponse response, Object parameters) {
    Message in = exchange.getInMessage();
    ServiceInvocation earlier = in.get(PROVIDER) instanceof ServiceInvocation found ? found : null;
    if (earlier != null && earlier.request == request) {
      return earlier;
    }
    Set<String> ofExchange = earlier == null ? Set.copyOf(exchange.keySet()) : earlier.ofExchange;
    exchange.keySet().retainAll(ofExchange);
    Object received = earlier == null ? parameters : earlier.received;
    ServiceInvocation begun = new ServiceInvocation(in, request, response, received, ofExchange);
    in.put(PROVIDER, begun);
    if (begun.parameters instanceof List<?> list) {
      // CXF reads the holders there after the execution.
      in.setContent(List.class, list);
    }
    return begun;
  }

  /** Copies the list, to which CXF adds, and the holders in it, to which the service writes. */
  private static Object copy(Object parameters) {
    if (!(parameters instanceof List<?> list)) {
      return parameters;
    }
    MessageContentsList copy = new MessageContentsList(list);
    copy.replaceAll(one -> one instanceof Holder<?> holder ? new Holder<Object>(holder.value) : one);
    return copy;
  }

  Object parameters() {
    return parameters;
  }

  /** Returns an empty content for the response. */
  BoundedContent content() {
    return response.content().another();
  }

  /**
   * Ends a part after the service has returned.
   *
   * @return whether the service has suspended the execution; then there is no result
   */
  boolean endPart() {
    boolean suspended = chain.getState() == InterceptorChain.State.SUSPENDED;
    if (suspended) {
      // The exchange decides what the chain does next.
      chain.unpause();
    } else {
      continuations.complete();
    }
    return suspended;
  }

  /** Ends the last part, after the service has thrown an exception. */
  void fail() {
    chain.unpause();
    continuations.complete();
  }

  /** Returns the continuation of this execution; null for an operation without a response. */
  @Override
  public Continuation getContinuation() {
    return continuations.getContinuation();
  }

  /** Has no effect. CXF calls this after each response, also after one that was sent while the service had suspended the execution. */
  @Override
  public void complete() {}
}
