package org.understudy.container.interceptor;

import java.util.ArrayList;
import java.util.List;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.apache.cxf.binding.soap.SoapMessage;
import org.apache.cxf.binding.soap.interceptor.Soap11FaultOutInterceptor;
import org.apache.cxf.binding.soap.interceptor.Soap12FaultOutInterceptor;
import org.apache.cxf.interceptor.AbstractOutDatabindingInterceptor;
import org.apache.cxf.interceptor.Fault;
import org.apache.cxf.interceptor.Interceptor;
import org.apache.cxf.jaxws.interceptors.HolderOutInterceptor;
import org.apache.cxf.jaxws.interceptors.MessageModeOutInterceptor;
import org.apache.cxf.jaxws.interceptors.SwAOutInterceptor;
import org.apache.cxf.jaxws.interceptors.WrapperClassOutInterceptor;
import org.apache.cxf.message.Attachment;
import org.apache.cxf.message.Exchange;
import org.apache.cxf.message.Message;
import org.apache.cxf.phase.AbstractPhaseInterceptor;
import org.apache.cxf.phase.Phase;
import org.apache.cxf.phase.PhaseInterceptorChain;
import org.apache.cxf.service.model.BindingOperationInfo;
import org.apache.cxf.ws.addressing.ContextUtils;
import org.understudy.soap.addressing.Addressing;

/**
 * Sends the {@link StoredEnvelope} of an exchange: its header blocks become those of the message, and its Body is written
 * where the service's stack would marshal a result or a fault. All other outgoing interceptors process the message as usual, including
 * those that sign or encrypt, and those of the user.
 */
public final class StoredEnvelopes extends AbstractPhaseInterceptor<SoapMessage> {
  /** What a received message holds if CXF's WS-Addressing has read it. */
  public static final String ADDRESSED = "jakarta.xml.ws.addressing.context.inbound";

  public StoredEnvelopes() {
    super(Phase.SETUP);
    addBefore("*");
  }

  @Override
  public void handleMessage(SoapMessage message) {
    StoredEnvelope envelope = message.getExchange().get(StoredEnvelope.class);
    if (envelope == null) {
      return;
    }
    boolean addressed = message.getExchange().getInMessage().get(ADDRESSED) != null;
    try {
      message.getHeaders().addAll(envelope.headers(addressed ? Addressing.NAMESPACE : null));
      if (envelope.action() != null) {
        message.put(ContextUtils.ACTION, envelope.action());
      }
    } catch (XMLStreamException e) {
      throw new Fault(e);
    }
    message.put(Message.RESPONSE_CODE, envelope.status());
    List<Attachment> attachments = envelope.attachments();
    if (!attachments.isEmpty()) {
      message.setAttachments(attachments);
    }
    PhaseInterceptorChain chain = (PhaseInterceptorChain) message.getInterceptorChain();
    List<Interceptor<? extends Message>> replaced = new ArrayList<>();
    for (Interceptor<? extends Message> one : chain) {
      if (marshals(one)) {
        replaced.add(one);
      }
    }
    replaced.forEach(chain::remove);
    selectWrapped(message.getExchange());
    chain.add(new BodyWriter(envelope));
  }

  /**
   * Selects the operation with its message as on the wire, as the removed interceptors would do. With the unwrapped one, CXF would add
   * parts without a type to its model of an operation that declares header blocks.
   */
  private static void selectWrapped(Exchange exchange) {
    BindingOperationInfo operation = exchange.getBindingOperationInfo();
    if (operation != null && operation.isUnwrapped()) {
      exchange.put(BindingOperationInfo.class, operation.getWrappedOperation());
    }
  }

  private static boolean marshals(Interceptor<? extends Message> one) {
    return one instanceof AbstractOutDatabindingInterceptor
        || one instanceof WrapperClassOutInterceptor
        || one instanceof HolderOutInterceptor
        || one instanceof SwAOutInterceptor
        || one instanceof MessageModeOutInterceptor
        || one instanceof Soap11FaultOutInterceptor
        || one instanceof Soap12FaultOutInterceptor;
  }

  /** Writes the Body of one message. */
  private static final class BodyWriter extends AbstractPhaseInterceptor<SoapMessage> {
    private final StoredEnvelope envelope;

    BodyWriter(StoredEnvelope envelope) {
      super(Phase.MARSHAL);
      this.envelope = envelope;
    }

    @Override
    public void handleMessage(SoapMessage message) {
      try {
        envelope.writeBody(message.getContent(XMLStreamWriter.class));
      } catch (XMLStreamException e) {
        throw new Fault(e);
      }
    }
  }
}
