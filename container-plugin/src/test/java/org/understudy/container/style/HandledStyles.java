package org.understudy.container.style;

import jakarta.jws.HandlerChain;
import jakarta.jws.WebService;
import jakarta.jws.soap.SOAPBinding;
import jakarta.xml.soap.SOAPException;
import jakarta.xml.ws.Service;
import jakarta.xml.ws.ServiceMode;
import jakarta.xml.ws.WebServiceException;
import jakarta.xml.ws.WebServiceProvider;
import jakarta.xml.ws.handler.MessageContext;
import jakarta.xml.ws.handler.soap.SOAPHandler;
import jakarta.xml.ws.handler.soap.SOAPMessageContext;
import java.util.Set;
import javax.xml.namespace.QName;
import org.apache.cxf.annotations.SchemaValidation;

/** Services of {@link Styles} with a JAX-WS handler that works on SAAJ's messages. */
public final class HandledStyles {
  private HandledStyles() {}

  /** Adds a header block to each answer. */
  public static final class Passing implements SOAPHandler<SOAPMessageContext> {
    @Override
    public Set<QName> getHeaders() {
      return Set.of();
    }

    @Override
    public boolean handleMessage(SOAPMessageContext context) {
      try {
        if ((Boolean) context.get(MessageContext.MESSAGE_OUTBOUND_PROPERTY)) {
          var envelope = context.getMessage().getSOAPPart().getEnvelope();
          var header = envelope.getHeader() == null ? envelope.addHeader() : envelope.getHeader();
          header.addChildElement(new QName("urn:passing", "passed", "p")).addTextNode("yes");
        }
        return true;
      } catch (SOAPException e) {
        throw new WebServiceException(e);
      }
    }

    @Override
    public boolean handleFault(SOAPMessageContext context) {
      return true;
    }

    @Override
    public void close(MessageContext context) {}
  }

  /** See {@link Styles.Rpc}. */
  @HandlerChain(file = "passing-handlers.xml")
  @WebService(targetNamespace = "urn:rpc")
  @SOAPBinding(style = SOAPBinding.Style.RPC)
  public static class HandledRpc extends Styles.Rpc {}

  /** See {@link Styles.Bare}. */
  @HandlerChain(file = "passing-handlers.xml")
  @WebService(targetNamespace = "urn:bare")
  @SOAPBinding(parameterStyle = SOAPBinding.ParameterStyle.BARE)
  public static class HandledBare extends Styles.Bare {}

  /** See {@link Styles.Same}. */
  @HandlerChain(file = "passing-handlers.xml")
  @WebService(targetNamespace = "urn:same")
  @SOAPBinding(parameterStyle = SOAPBinding.ParameterStyle.BARE)
  public static class HandledSame extends Styles.Same {}

  /** See {@link Styles.Held}. */
  @HandlerChain(file = "passing-handlers.xml")
  @WebService(targetNamespace = "urn:held")
  public static class HandledHeld extends Styles.Held {}

  /** See {@link Styles.Headed}. */
  @HandlerChain(file = "passing-handlers.xml")
  @WebService(targetNamespace = "urn:headed")
  public static class HandledHeaded extends Styles.Headed {}

  /** See {@link Styles.Validated}. */
  @SchemaValidation
  @HandlerChain(file = "passing-handlers.xml")
  @WebService(targetNamespace = "urn:validated")
  public static class HandledValidated extends Styles.Validated {}

  /** See {@link Styles.Payload}. */
  @HandlerChain(file = "passing-handlers.xml")
  @WebServiceProvider(targetNamespace = "urn:payload", serviceName = "Payloads", portName = "PayloadPort")
  @ServiceMode(Service.Mode.PAYLOAD)
  public static class HandledPayload extends Styles.Payload {}

  /** See {@link Styles.Typed}. */
  @HandlerChain(file = "passing-handlers.xml")
  @WebServiceProvider(targetNamespace = "urn:typed", serviceName = "Typeds", portName = "TypedPort")
  @ServiceMode(Service.Mode.PAYLOAD)
  public static class HandledTyped extends Styles.Typed {}

  /** See {@link Styles.Message}. */
  @HandlerChain(file = "passing-handlers.xml")
  @WebServiceProvider(targetNamespace = "urn:message", serviceName = "Messages", portName = "MessagePort")
  @ServiceMode(Service.Mode.MESSAGE)
  public static class HandledMessage extends Styles.Message {}

  /** See {@link Styles.Whole}. */
  @HandlerChain(file = "passing-handlers.xml")
  @WebServiceProvider(targetNamespace = "urn:saaj", serviceName = "Wholes", portName = "WholePort")
  @ServiceMode(Service.Mode.MESSAGE)
  public static class HandledWhole extends Styles.Whole {}
}
