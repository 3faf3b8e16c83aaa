package org.understudy.container.invoker;

import java.nio.charset.StandardCharsets;
import java.security.Principal;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamException;
import org.apache.cxf.binding.soap.SoapFault;
import org.apache.cxf.binding.soap.SoapMessage;
import org.apache.cxf.binding.soap.SoapVersion;
import org.apache.cxf.endpoint.Endpoint;
import org.apache.cxf.headers.Header;
import org.apache.cxf.message.Exchange;
import org.apache.cxf.message.MessageContentsList;
import org.apache.cxf.security.SecurityContext;
import org.apache.cxf.service.invoker.Invoker;
import org.apache.cxf.service.model.BindingOperationInfo;
import org.apache.cxf.transport.http.AbstractHTTPDestination;
import org.understudy.container.interceptor.BodyDigest;
import org.understudy.container.interceptor.StoredEnvelope;
import org.understudy.container.interceptor.StoredEnvelopes;
import org.understudy.container.interceptor.StoredFault;
import org.understudy.container.interceptor.VerifiedBody;
import org.understudy.container.request.InvokerExchange;
import org.understudy.container.soap.EnvelopeReader;
import org.understudy.container.soap.RequestEnvelope;
import org.understudy.replication.soap.ReplicationNames;
import org.understudy.soap.addressing.Addressing;
import org.understudy.soap.envelope.BadEnvelopeException;
import org.understudy.soap.xml.ElementText;
import org.understudy.soap.xml.XmlText;
import org.w3c.dom.Element;

/**
 * Submits each invocation to the replica instead of calling the service, and lets CXF's outgoing interceptors send the reply.
 * CXF has authenticated the message by then: identity, principal and content of the request are those that CXF's interceptors have
 * produced. A request that CXF rejects does not reach this invoker, so it cannot get a stored reply. Thread-safe.
 */
public final class ReplicatedInvoker implements Invoker {
  /** Whether WS-Security is on the class path. */
  private static final boolean WSS4J = isPresent("org.apache.wss4j.dom.handler.WSHandlerConstants");

  private final Invoker service;
  private final Marshalling marshalling = new Marshalling();

  /** @param service the invoker that calls the method */
  public ReplicatedInvoker(Invoker service) {
    this.service = service;
  }

  /** Replaces the invoker of a published endpoint. Call it before the endpoint receives requests. */
  public static void install(Endpoint endpoint) {
    endpoint.getService().setInvoker(new ReplicatedInvoker(endpoint.getService().getInvoker()));
    StoredEnvelopes envelopes = new StoredEnvelopes();
    endpoint.getOutInterceptors().add(envelopes);
    endpoint.getOutFaultInterceptors().add(envelopes);
    endpoint.getInInterceptors().add(new VerifiedBody(endpoint));
  }

  private static boolean isPresent(String type) {
    try {
      Class.forName(type, false, ReplicatedInvoker.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  @Override
  public Object invoke(Exchange exchange, Object parameters) {
    SoapMessage in = (SoapMessage) exchange.getInMessage();
    InvokerExchange request = InvokerExchange.of(in.get(AbstractHTTPDestination.HTTP_REQUEST));
    if (request == null) {
      throw new SoapFault(
          "The request did not pass Understudy's filter, so it cannot be replicated. It was not executed.",
          in.getVersion().getReceiver());
    }
    if (!request.isSubmitted()) {
      // Not removed: CXF keeps a copy.
      in.put(VerifiedBody.ACKNOWLEDGED, false);
      submit(in, request);
    }
    switch (request.invoke((execution, captured) -> call(exchange, ServiceInvocation.of(exchange, execution, captured, parameters)))) {
      case RESULT -> exchange.put(StoredEnvelope.class, stored(request));
      case FAULT -> throw fault(exchange, stored(request));
      case REFUSAL -> throw fault(exchange, new StoredEnvelope(request.refusalEnvelope(), request.refusalStatus(), null));
      case SUSPEND -> {
        request.keep(AbstractHTTPDestination.CXF_CONTINUATION_MESSAGE, in);
        in.getInterceptorChain().suspend();
      }
      case END -> in.getInterceptorChain().abort();
      default -> throw new IllegalStateException("The invoker has nothing to do.");
    }
    return new MessageContentsList();
  }

  private static StoredEnvelope stored(InvokerExchange request) {
    return new StoredEnvelope(request.envelope(), request.status(), request.attachments());
  }

  private InvokerExchange.Marshalled call(Exchange exchange, ServiceInvocation invocation) {
    return marshalling.result(exchange, invocation, () -> service.invoke(exchange, invocation.parameters()));
  }

  private static StoredFault fault(Exchange exchange, StoredEnvelope envelope) {
    exchange.put(StoredEnvelope.class, envelope);
    // A fault has an envelope, even if the operation has no response.
    exchange.setOneWay(false);
    SoapVersion version = ((SoapMessage) exchange.getInMessage()).getVersion();
    return new StoredFault("The service's fault is stored.", version.getReceiver());
  }

  private static void submit(SoapMessage in, InvokerExchange request) {
    BodyDigest body = in.get(BodyDigest.class);
    try {
      if (body == null) {
        throw new SoapFault("The message has no content that can be replicated.", in.getVersion().getSender());
      }
      if (WSS4J) {
        SignedIdentity.check(in);
      }
      byte[] hash = body.complete();
      if (hash == null) {
        throw new SoapFault("The Body has content after the operation's element.", in.getVersion().getSender());
      }
      BindingOperationInfo selected = in.getExchange().getBindingOperationInfo();
      if (selected == null) {
        throw new SoapFault("The Body has no element of an operation.", in.getVersion().getSender());
      }
      request.submit(verified(in, body.first()), selected.getName(), principal(in, request), hash);
    } catch (BadEnvelopeException e) {
      throw new SoapFault(e.getMessage(), e, in.getVersion().getSender());
    } catch (XMLStreamException e) {
      throw new SoapFault("The message is not well-formed XML.", e, in.getVersion().getSender());
    }
  }

  /** Reads the header blocks for replication, as CXF's interceptors have produced them. */
  private static RequestEnvelope verified(SoapMessage in, QName operation) throws BadEnvelopeException {
    StringBuilder text = new StringBuilder(1_024);
    text.append("<e:Envelope xmlns:e=\"").append(in.getVersion().getNamespace()).append("\"><e:Header>");
    for (Header header : in.getHeaders()) {
      String namespace = header.getName().getNamespaceURI();
      boolean read = namespace.equals(ReplicationNames.NAMESPACE) || namespace.equals(Addressing.NAMESPACE);
      if (read && header.getObject() instanceof Element block) {
        ElementText.write(block, text);
      }
    }
    text.append("</e:Header><e:Body>");
    if (operation != null) {
      text.append('<').append(operation.getLocalPart()).append(" xmlns=\"");
      text.append(XmlText.escape(operation.getNamespaceURI())).append("\"/>");
    }
    byte[] envelope = text.append("</e:Body></e:Envelope>").toString().getBytes(StandardCharsets.UTF_8);
    return EnvelopeReader.read(envelope, envelope.length, in.getVersion().getContentType());
  }

  /** Returns the name of the principal that CXF has authenticated, or the empty string. */
  private static String principal(SoapMessage in, InvokerExchange request) {
    SecurityContext context = in.get(SecurityContext.class);
    Principal principal = context == null ? null : context.getUserPrincipal();
    return principal == null || principal.getName() == null || request.isOfContainer(principal) ? "" : principal.getName();
  }
}
