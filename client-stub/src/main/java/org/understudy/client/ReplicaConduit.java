package org.understudy.client;

import jakarta.xml.ws.WebServiceException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Logger;
import org.apache.cxf.Bus;
import org.apache.cxf.common.logging.LogUtils;
import org.apache.cxf.configuration.jsse.TLSClientParameters;
import org.apache.cxf.endpoint.ClientCallback;
import org.apache.cxf.endpoint.Endpoint;
import org.apache.cxf.helpers.HttpHeaderHelper;
import org.apache.cxf.interceptor.Fault;
import org.apache.cxf.message.Exchange;
import org.apache.cxf.message.ExchangeImpl;
import org.apache.cxf.message.Message;
import org.apache.cxf.message.MessageImpl;
import org.apache.cxf.phase.PhaseInterceptorChain;
import org.apache.cxf.transport.Conduit;
import org.apache.cxf.transport.MessageObserver;
import org.apache.cxf.transport.http.Address;
import org.apache.cxf.transport.http.HTTPConduit;
import org.apache.cxf.transport.http.Headers;
import org.apache.cxf.transports.http.configuration.HTTPClientPolicy;
import org.apache.cxf.ws.addressing.AttributedURIType;
import org.apache.cxf.ws.addressing.EndpointReferenceType;
import org.understudy.client.connection.Access;
import org.understudy.client.connection.ProxySettings;
import org.understudy.client.envelope.Answer;
import org.understudy.client.invocation.InvocationFailedException;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.soap.TransactionReference;

/**
 * The CXF conduit: receives the marshalled request, sends it to the primary through the group, and passes the answer to
 * CXF. A synchronous call does all of it on the caller's thread. It is configured as CXF's own conduits are; what the base class
 * does with a connection of its own, such as redirects and retransmissions, does not happen here.
 */
final class ReplicaConduit extends HTTPConduit {
  private static final Logger LOG = LogUtils.getL7dLogger(ReplicaConduit.class);
  private final FaultTolerantGroup group;
  private final Endpoint endpoint;
  private final ResourcePath resource;
  private final UnsupportedSettings unsupported = new UnsupportedSettings();
  private volatile Addressed lastAddressed = new Addressed(null, ResourcePath.SERVICE);

  /** A cached address with its parsed resource path. */
  private record Addressed(String address, ResourcePath resource) {}

  /** What {@link HTTPConduit} has found out about a message. */
  private record Prepared(String address, HTTPClientPolicy policy) {}

  ReplicaConduit(FaultTolerantGroup group, Endpoint endpoint, ResourcePath resource, Bus bus) throws IOException {
    super(bus, endpoint.getEndpointInfo());
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

  /** The base class would check certificate constraints by its own connection. {@code TlsSockets} checks them. */
  @Override
  public void setTlsClientParameters(TLSClientParameters parameters) {
    super.setTlsClientParameters(parameters);
    certConstraints = null;
  }

  @Override
  public void prepare(Message message) throws IOException {
    // The replication header is spliced in as ASCII.
    message.put(Message.ENCODING, StandardCharsets.UTF_8.name());
    prepareHeaders(message);
    if (RenewedEnvelope.isNeeded(message)) {
      // The rest of the chain runs for each attempt, on a message of its own.
      message.removeContent(OutputStream.class);
      send(message, new RenewedEnvelope(message));
      message.getInterceptorChain().abort();
    }
  }

  /** The base class puts the headers of the conduit's settings into the message. */
  private void prepareHeaders(Message message) throws IOException {
    if (message.get(Message.ENDPOINT_ADDRESS) == null && endpointInfo.getAddress() == null) {
      message.put(Message.ENDPOINT_ADDRESS, group.config().replicas().get(0).toString());
    }
    super.prepare(message);
    try {
      unsupported.check(this, message, message.get(Prepared.class).policy);
    } catch (InvocationFailedException e) {
      throw new Fault(e);
    }
  }

  @Override
  protected void setupConnection(Message message, Address address, HTTPClientPolicy policy) {
    message.put(Prepared.class, new Prepared(address.getString(), policy));
  }

  /** The content is sent as a whole, so that its length is known. */
  @Override
  protected OutputStream createOutputStream(Message message, boolean cached, boolean chunked, int threshold) {
    return new OutgoingEnvelope(this, message);
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
    HTTPClientPolicy policy = message.get(Prepared.class).policy;
    CallTimeouts timeouts = CallTimeouts.of(
        policy.isSetConnectionTimeout() || message.get(Message.CONNECTION_TIMEOUT) != null
            ? Long.valueOf(determineConnectionTimeout(message, policy)) : null,
        policy.isSetReceiveTimeout() || message.get(Message.RECEIVE_TIMEOUT) != null
            ? Long.valueOf(determineReceiveTimeout(message, policy)) : null,
        group.config().deadline());
    return new Invocation(outgoing, access(message), timeouts, resource(message), readLevel(message), transaction(message),
        System.nanoTime() + group.config().deadline().toNanos());
  }

  private Access access(Message message) {
    HTTPClientPolicy policy = message.get(Prepared.class).policy;
    Map<String, List<String>> headers = Headers.getSetProtocolHeaders(message);
    List<String> proxyAuthorization = headers.get("Proxy-Authorization");
    TLSClientParameters tls = message.get(TLSClientParameters.class);
    ProxySettings proxy = ProxySettings.of(policy, proxyAuthorization == null ? null : proxyAuthorization.get(0));
    return new Access(
        HttpFields.of(message).authorization(), common(policy),
        group.connections(tls == null ? getTlsClientParameters() : tls, proxy));
  }

  /** The access of calls with this request context. */
  Access access(Map<String, Object> context) {
    Message message = new MessageImpl();
    message.putAll(context);
    message.setExchange(new ExchangeImpl());
    try {
      prepareHeaders(message);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return access(message);
  }

  /** The fields of the policy that session operations have too. */
  private static Map<String, String> common(HTTPClientPolicy policy) {
    Map<String, String> fields = new HashMap<>();
    if (policy.isSetHost()) {
      fields.put("Host", policy.getHost());
    }
    if (policy.isSetConnection()) {
      fields.put("Connection", policy.getConnection().value());
    }
    if (policy.isSetBrowserType()) {
      fields.put("User-Agent", policy.getBrowserType());
    }
    if (policy.isSetCookie()) {
      fields.put("Cookie", policy.getCookie());
    }
    return fields;
  }

  static String contentType(Message message) {
    String type = (String) message.get(Message.CONTENT_TYPE);
    if (type == null) {
      return "text/xml; charset=UTF-8";
    }
    return type.startsWith("multipart/") || type.contains("charset") ? type : type + "; charset=UTF-8";
  }

  private static TransactionReference transaction(Message message) {
    return message.get(FaultTolerant.TRANSACTION) instanceof Transaction transaction ? transaction.reference() : null;
  }

  /** The group of the ports that use this conduit. */
  FaultTolerantGroup group() {
    return group;
  }

  private ReadLevel readLevel(Message message) {
    Object level = message.get(FaultTolerant.READ_LEVEL);
    return level == null ? group.config().readLevel().orElse(null) : (ReadLevel) level;
  }

  private ResourcePath resource(Message message) {
    if (resource != null) {
      return resource;
    }
    String address = message.get(Prepared.class).address;
    Addressed last = lastAddressed;
    if (!address.equals(last.address)) {
      last = new Addressed(address, ResourcePath.of(address, group.config().replicas()));
      lastAddressed = last;
    }
    return last.resource;
  }

  private void receive(Exchange exchange, Answer answer) {
    exchange.put(Message.RESPONSE_CODE, answer.status());
    Message in = new MessageImpl();
    in.setExchange(exchange);
    in.put(Message.RESPONSE_CODE, answer.status());
    in.put(Message.PROTOCOL_HEADERS, answer.headers());
    cookies.readFromHeaders(new Headers(in));
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
