package org.understudy.container.interceptor;

import org.apache.cxf.message.Message;
import org.apache.cxf.phase.AbstractPhaseInterceptor;
import org.apache.cxf.phase.Phase;

/**
 * Has a one-way message executed by the thread of its request. CXF's WS-Addressing would acknowledge it and leave it to another thread,
 * where its execution would not be replicated.
 */
public final class RequestThread extends AbstractPhaseInterceptor<Message> {
  public RequestThread() {
    super(Phase.RECEIVE);
  }

  @Override
  public void handleMessage(Message message) {
    message.remove(Message.ASYNC_POST_RESPONSE_DISPATCH);
  }
}
