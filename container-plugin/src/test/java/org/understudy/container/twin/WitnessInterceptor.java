package org.understudy.container.twin;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.cxf.helpers.CastUtils;
import org.apache.cxf.message.Message;
import org.apache.cxf.message.MessageUtils;
import org.apache.cxf.phase.AbstractPhaseInterceptor;
import org.apache.cxf.phase.Phase;

/** An interceptor of the service's own, so that the plugin replicates behind it. It records messages, and marks answers. */
final class WitnessInterceptor extends AbstractPhaseInterceptor<Message> {
  WitnessInterceptor() {
    super(Phase.PRE_LOGICAL);
  }

  @Override
  public void handleMessage(Message message) {
    if (MessageUtils.isOutbound(message)) {
      Map<String, List<String>> headers = CastUtils.cast((Map<?, ?>) message.get(Message.PROTOCOL_HEADERS));
      Map<String, List<String>> marked = headers == null ? new TreeMap<>() : new TreeMap<>(headers);
      marked.put("X-Outgoing", List.of("marked"));
      message.put(Message.PROTOCOL_HEADERS, marked);
    } else {
      Map<String, String> seen = new TreeMap<>();
      Witness.of(message, seen);
      Sightings.add("interceptor", seen);
    }
  }
}
