package org.understudy.container.interceptor;

import java.time.Instant;
import java.util.function.BiConsumer;
import org.apache.cxf.interceptor.Fault;
import org.apache.cxf.message.Message;
import org.apache.cxf.phase.AbstractPhaseInterceptor;
import org.apache.cxf.phase.Phase;
import org.apache.cxf.transport.http.AbstractHTTPDestination;
import org.understudy.replication.api.UnknownResourceException;
import org.understudy.soap.basefault.BaseFault;
import org.understudy.soap.basefault.DeclaredFault;
import org.understudy.soap.basefault.ResourceFaultType;
import org.understudy.soap.xml.Elements;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Converts an {@link UnknownResourceException} of a service into the fault of WS-Resource 1.2. */
public final class UnknownResources extends AbstractPhaseInterceptor<Message> {
  private final BiConsumer<Object, DeclaredFault.Family> found;

  /** @param found receives the transport request and the family of the declared fault */
  public UnknownResources(BiConsumer<Object, DeclaredFault.Family> found) {
    super(Phase.PRE_STREAM);
    this.found = found;
  }

  @Override
  public void handleMessage(Message message) {
    if (!(message.getContent(Exception.class) instanceof Fault fault)
        || !(fault.getCause() instanceof UnknownResourceException unknown)) {
      return;
    }
    DeclaredFault declared =
        BaseFault.of(ResourceFaultType.RESOURCE_UNKNOWN, Instant.now(), unknown.getMessage()).declared();
    Document document = Elements.document();
    Element detail = document.createElementNS(null, "detail");
    detail.appendChild(document.importNode(Elements.read(declared.detail()), true));
    fault.setDetail(detail);
    fault.setFaultCode(Fault.FAULT_CODE_CLIENT);
    found.accept(message.getExchange().getInMessage().get(AbstractHTTPDestination.HTTP_REQUEST), declared.family());
  }
}
