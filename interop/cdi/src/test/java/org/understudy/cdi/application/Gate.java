package org.understudy.cdi.application;

import org.apache.cxf.interceptor.Fault;
import org.apache.cxf.message.Message;
import org.apache.cxf.phase.AbstractPhaseInterceptor;
import org.apache.cxf.phase.Phase;

/** Rejects every request. */
public class Gate extends AbstractPhaseInterceptor<Message> {
  public Gate() {
    super(Phase.PRE_INVOKE);
  }

  @Override
  public void handleMessage(Message message) {
    throw new Fault(new SecurityException("Nobody passes."));
  }
}
