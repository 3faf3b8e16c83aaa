package org.understudy.client.transport;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import org.apache.cxf.helpers.CastUtils;
import org.apache.cxf.interceptor.Fault;
import org.apache.cxf.message.Exchange;
import org.apache.cxf.message.Message;
import org.apache.cxf.message.MessageImpl;
import org.apache.cxf.phase.PhaseInterceptorChain;
import org.apache.cxf.service.model.EndpointInfo;
import org.apache.cxf.transport.AbstractConduit;
import org.apache.cxf.transport.MessageObserver;
import org.apache.cxf.ws.addressing.AttributedURIType;
import org.apache.cxf.ws.addressing.EndpointReferenceType;
import org.understudy.client.InvocationFailedException;
import org.understudy.client.group.ReplicaGroup;
import org.understudy.replication.api.Certainty;

/**
 * Takes the envelope that CXF has written and brings the response back, whichever replica gives it. A synchronous
 * invocation stays in its thread from end to end.
 */
final class ReplicationConduit extends AbstractConduit {
  private static final java.util.logging.Logger LOG =
      java.util.logging.Logger.getLogger(ReplicationConduit.class.getName());

  private final ReplicaGroup group;

  ReplicationConduit(EndpointInfo endpoint, ReplicaGroup group) {
    super(reference(endpoint));
    this.group = group;
  }

  private static EndpointReferenceType reference(EndpointInfo endpoint) {
    AttributedURIType address = new AttributedURIType();
    address.setValue(endpoint.getAddress());
    EndpointReferenceType reference = new EndpointReferenceType();
    reference.setAddress(address);
    return reference;
  }

  @Override
  protected java.util.logging.Logger getLogger() {
    return LOG;
  }

  @Override
  public void prepare(Message message) {
    message.setContent(OutputStream.class, new EnvelopeBuffer());
  }

  @Override
  public void close(Message message) throws IOException {
    if (!(message.getContent(OutputStream.class) instanceof EnvelopeBuffer buffer)) {
      // The response's side: nothing of ours to close.
      super.close(message);
      return;
    }
    message.removeContent(OutputStream.class);
    if (message.getExchange().isSynchronous()) {
      exchange(message, buffer);
      return;
    }
    try {
      group.async().execute(() -> exchangeLater(message, buffer));
    } catch (RejectedExecutionException e) {
      throw new InvocationFailedException(
          "Too many asynchronous invocations wait for a thread.", Certainty.NOT_EXECUTED, e);
    }
  }

  private void exchangeLater(Message message, EnvelopeBuffer buffer) {
    try {
      exchange(message, buffer);
    } catch (RuntimeException e) {
      PhaseInterceptorChain chain = (PhaseInterceptorChain) message.getInterceptorChain();
      chain.abort();
      message.setContent(Exception.class, e instanceof Fault ? e : new Fault(e));
      chain.unwind(message);
      MessageObserver observer = chain.getFaultObserver();
      (observer == null ? message.getExchange().get(MessageObserver.class) : observer).onMessage(message);
    }
  }

  private void exchange(Message message, EnvelopeBuffer buffer) {
    Map<String, List<String>> headers = CastUtils.cast((Map<?, ?>) message.get(Message.PROTOCOL_HEADERS));
    Http.Response response =
        group.invoke(
            new Envelope(buffer.bytes(), buffer.size()),
            suffix((String) message.get(Message.ENDPOINT_ADDRESS)),
            (String) message.get(Message.CONTENT_TYPE),
            Http.first(headers, "SOAPAction"));
    Exchange exchange = message.getExchange();
    Message answer = new MessageImpl();
    answer.setExchange(exchange);
    answer.put(Message.RESPONSE_CODE, response.status());
    answer.put(Message.CONTENT_TYPE, response.contentType());
    answer.put(Message.ENCODING, "UTF-8");
    answer.put(Message.INBOUND_MESSAGE, Boolean.TRUE);
    if (exchange.isOneWay() && response.body().length == 0) {
      return;
    }
    answer.setContent(InputStream.class, new ByteArrayInputStream(response.body()));
    exchange.get(MessageObserver.class).onMessage(answer);
  }

  /** What the port's address has behind the service's: the id of a WS-Resource. */
  private String suffix(String address) {
    if (address == null) {
      return "";
    }
    String path = URI.create(address).getRawPath();
    for (URI replica : group.settings().replicas()) {
      String service = replica.getRawPath();
      if (path.startsWith(service) && (path.length() == service.length() || path.charAt(service.length()) == '/')) {
        return path.substring(service.length());
      }
    }
    return "";
  }

  /** The envelope as it is written, readable without a copy. */
  private static final class EnvelopeBuffer extends java.io.ByteArrayOutputStream {
    EnvelopeBuffer() {
      super(1_024);
    }

    byte[] bytes() {
      return buf;
    }
  }
}
