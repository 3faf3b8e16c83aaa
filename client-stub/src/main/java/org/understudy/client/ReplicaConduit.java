package org.understudy.client;

import jakarta.xml.ws.BindingProvider;
import jakarta.xml.ws.WebServiceException;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.logging.Logger;
import org.apache.cxf.common.logging.LogUtils;
import org.apache.cxf.configuration.security.AuthorizationPolicy;
import org.apache.cxf.endpoint.ClientCallback;
import org.apache.cxf.endpoint.Endpoint;
import org.apache.cxf.helpers.HttpHeaderHelper;
import org.apache.cxf.interceptor.Fault;
import org.apache.cxf.message.Exchange;
import org.apache.cxf.message.Message;
import org.apache.cxf.message.MessageImpl;
import org.apache.cxf.phase.PhaseInterceptorChain;
import org.apache.cxf.transport.AbstractConduit;
import org.apache.cxf.transport.Conduit;
import org.apache.cxf.transport.MessageObserver;
import org.apache.cxf.ws.addressing.AttributedURIType;
import org.apache.cxf.ws.addressing.EndpointReferenceType;
import org.understudy.client.envelope.Answer;
import org.understudy.client.invocation.InvocationFailedException;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.soap.TransactionReference;

/**
 * The CXF conduit: receives the marshalled request, sends it to the primary through the group, and passes the answer to
 * CXF. A synchronous call does all of it on the caller's thread.
 */
final class ReplicaConduit extends AbstractConduit {
  private static final Logger LOG = LogUtils.getL7dLogger(ReplicaConduit.class);
  private final FaultTolerantGroup group;
  private final Endpoint endpoint;
  private final ResourcePath resource;
  private volatile Addressed lastAddressed = new Addressed(null, ResourcePath.SERVICE);

  /** A cached address with its parsed resource path. */
  private record Addressed(String address, ResourcePath resource) {}

  ReplicaConduit(FaultTolerantGroup group, Endpoint endpoint, ResourcePath resource) {
    super(null);
    this.group = group;
    this.endpoint = endpoint;
    this.resource = resource;
  }

  /** The value of {@code wsa:To}: the address that the application uses, the same for every attempt. */
  @Override
  public EndpointReferenceType getTarget() {
    AttributedURIType address = new AttributedURIType();
    address.setValue(endpoint.getEndpointInfo().getAddress());
    EndpointReferenceType reference = new EndpointReferenceType();
    reference.setAddress(address);
    return reference;
  }

  @Override
  protected Logger getLogger() {
    return LOG;
  }

  @Override
  public void prepare(Message message) {
    // The replication header is spliced in as ASCII.
    message.put(Message.ENCODING, StandardCharsets.UTF_8.name());
    if (RenewedEnvelope.isNeeded(message)) {
      // The rest of the chain runs for each attempt, on a message of its own.
      send(message, new RenewedEnvelope(message));
      message.getInterceptorChain().abort();
    } else {
      message.setContent(OutputStream.class, new OutgoingEnvelope(this, message));
    }
  }

  /** Called when the envelope is complete. */
  void send(Message message, OutgoingEnvelope out) {
    send(message, new SharedEnvelope(out.envelope(), contentType(message), HttpFields.of(message)));
  }

  private void send(Message message, OutgoingMessage outgoing) {
    Invocation invocation = invocation(message, outgoing);
    boolean isSynchronous = message.getExchange().isSynchronous() || message.getExchange().isOneWay();
    try {
      group.admit();
      if (isSynchronous) {
        receive(message.getExchange(), group.invoke(invocation));
      } else {
        group.submit(() -> sendAsynchronously(message, invocation));
      }
    } catch (OutgoingMessage.AnsweredByHandlerException e) {
      LOG.finest("A handler has answered the call.");
    } catch (InvocationFailedException e) {
      if (isSynchronous) {
        throw new Fault(e);
      }
      fail(message, e);
    }
  }

  private void sendAsynchronously(Message message, Invocation invocation) {
    try {
      receive(message.getExchange(), group.invoke(invocation));
    } catch (OutgoingMessage.AnsweredByHandlerException e) {
      LOG.finest("A handler has answered the call.");
    } catch (InvocationFailedException | RuntimeException e) {
      fail(message, e);
    }
  }

  /** Notifies an asynchronous caller through its callback. */
  private static void fail(Message message, Exception failure) {
    Exchange exchange = message.getExchange();
    ClientCallback callback = exchange.get(ClientCallback.class);
    PhaseInterceptorChain chain = (PhaseInterceptorChain) message.getInterceptorChain();
    chain.abort();
    // CXF's Dispatch loses a Fault caused by an IOException: its callback throws instead of completing, and the caller's
    // Response never completes. Other exceptions are passed on.
    message.setContent(Exception.class, new WebServiceException(failure.getMessage(), failure));
    chain.unwind(message);
    MessageObserver observer = chain.getFaultObserver();
    try {
      (observer != null ? observer : exchange.get(MessageObserver.class)).onMessage(message);
    } finally {
      if (callback != null && !callback.isDone()) {
        callback.handleException(null, new WebServiceException(failure.getMessage(), failure));
      }
    }
  }

  private Invocation invocation(Message message, OutgoingMessage outgoing) {
    String given = HttpFields.of(message).authorization();
    String authorization = given == null ? basic(message) : given;
    return new Invocation(outgoing, authorization, resource(message), readLevel(message), transaction(message),
        System.nanoTime() + group.config().deadline().toNanos());
  }

  static String contentType(Message message) {
    String type = (String) message.get(Message.CONTENT_TYPE);
    if (type == null) {
      return "text/xml; charset=UTF-8";
    }
    return type.startsWith("multipart/") || type.contains("charset") ? type : type + "; charset=UTF-8";
  }

  private static String basic(Message message) {
    AuthorizationPolicy policy = message.get(AuthorizationPolicy.class);
    Object user = policy != null ? policy.getUserName() : message.get(BindingProvider.USERNAME_PROPERTY);
    Object password = policy != null ? policy.getPassword() : message.get(BindingProvider.PASSWORD_PROPERTY);
    return basic(user, password);
  }

  private static String basic(Object user, Object password) {
    if (user == null) {
      return null;
    }
    byte[] pair = (user + ":" + (password == null ? "" : password)).getBytes(StandardCharsets.UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(pair);
  }

  private static TransactionReference transaction(Message message) {
    return message.get(FaultTolerant.TRANSACTION) instanceof Transaction transaction ? transaction.reference() : null;
  }

  /** The group of the ports that use this conduit. */
  FaultTolerantGroup group() {
    return group;
  }

  /** The principal of calls without properties of their own, as an HTTP header; null for none. */
  static String authorization(Map<String, Object> context) {
    return basic(context.get(BindingProvider.USERNAME_PROPERTY), context.get(BindingProvider.PASSWORD_PROPERTY));
  }

  private ReadLevel readLevel(Message message) {
    Object level = message.get(FaultTolerant.READ_LEVEL);
    return level == null ? group.config().readLevel().orElse(null) : (ReadLevel) level;
  }

  private ResourcePath resource(Message message) {
    if (resource != null) {
      return resource;
    }
    String address = (String) message.get(Message.ENDPOINT_ADDRESS);
    if (address == null) {
      address = endpoint.getEndpointInfo().getAddress();
    }
    Addressed last = lastAddressed;
    if (address != null && !address.equals(last.address)) {
      last = new Addressed(address, ResourcePath.of(address, group.config().replicas()));
      lastAddressed = last;
    }
    return last.resource;
  }

  private static void receive(Exchange exchange, Answer answer) {
    exchange.put(Message.RESPONSE_CODE, answer.status());
    Message in = new MessageImpl();
    in.setExchange(exchange);
    in.put(Message.RESPONSE_CODE, answer.status());
    in.put(Message.PROTOCOL_HEADERS, answer.headers());
    in.put(Conduit.class, exchange.getOutMessage().get(Conduit.class));
    if (exchange.isOneWay() || !answer.isSoap()) {
      ClientCallback callback = exchange.remove(ClientCallback.class);
      if (callback != null) {
        callback.handleResponse(null, null);
      }
      exchange.put("IN_CHAIN_COMPLETE", true);
      exchange.setInMessage(in);
      return;
    }
    in.put(Message.CONTENT_TYPE, answer.contentType());
    String charset = HttpHeaderHelper.findCharset(answer.contentType());
    in.put(Message.ENCODING, charset == null ? StandardCharsets.UTF_8.name() : HttpHeaderHelper.mapCharset(charset));
    in.setContent(InputStream.class, new ByteArrayInputStream(answer.bytes()));
    // CXF needs the marshalled request no longer; its buffer can be freed while the answer is read.
    exchange.getOutMessage().removeContent(OutputStream.class);
    exchange.get(MessageObserver.class).onMessage(in);
  }
}
