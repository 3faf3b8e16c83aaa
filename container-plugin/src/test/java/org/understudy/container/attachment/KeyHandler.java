package org.understudy.container.attachment;

import jakarta.xml.ws.handler.LogicalHandler;
import jakarta.xml.ws.handler.LogicalMessageContext;
import jakarta.xml.ws.handler.MessageContext;
import java.util.List;
import java.util.Map;

/** A handler of the application's own: refuses those without a key. */
final class KeyHandler implements LogicalHandler<LogicalMessageContext> {
  @Override
  public boolean handleMessage(LogicalMessageContext context) {
    if (Boolean.TRUE.equals(context.get(MessageContext.MESSAGE_OUTBOUND_PROPERTY))) {
      return true;
    }
    Map<?, ?> headers = (Map<?, ?>) context.get(MessageContext.HTTP_REQUEST_HEADERS);
    if (List.of("open sesame").equals(headers.get("Key"))) {
      return true;
    }
    throw new IllegalStateException("no key");
  }

  @Override
  public boolean handleFault(LogicalMessageContext context) {
    return true;
  }

  @Override
  public void close(MessageContext context) {}
}
