package org.understudy.container.interceptor;

import java.util.function.Consumer;
import org.apache.cxf.interceptor.ServiceInvokerInterceptor;
import org.apache.cxf.message.Message;
import org.apache.cxf.phase.AbstractPhaseInterceptor;
import org.apache.cxf.phase.Phase;
import org.apache.cxf.transport.http.AbstractHTTPDestination;

/**
 * Notes that CXF hands a message to the service. CXF answers a one-way message with 202 also when an interceptor before that has rejected
 * it.
 */
public final class HandedOver extends AbstractPhaseInterceptor<Message> {
  private final Consumer<Object> note;

  /** @param note takes the transport request */
  public HandedOver(Consumer<Object> note) {
    super(Phase.INVOKE);
    addBefore(ServiceInvokerInterceptor.class.getName());
    this.note = note;
  }

  @Override
  public void handleMessage(Message message) {
    note.accept(message.get(AbstractHTTPDestination.HTTP_REQUEST));
  }
}
