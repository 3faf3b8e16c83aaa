package org.understudy.container.twin;

import jakarta.xml.ws.handler.LogicalHandler;
import jakarta.xml.ws.handler.LogicalMessageContext;
import jakarta.xml.ws.handler.MessageContext;
import jakarta.xml.ws.handler.soap.SOAPHandler;
import jakarta.xml.ws.handler.soap.SOAPMessageContext;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.xml.namespace.QName;
import javax.xml.transform.Source;

/** Handlers that record messages in both directions. */
final class WitnessHandlers {
  private WitnessHandlers() {}

  private static boolean sees(String by, MessageContext context, String message) {
    boolean outgoing = (Boolean) context.get(MessageContext.MESSAGE_OUTBOUND_PROPERTY);
    Map<String, String> seen = new TreeMap<>();
    if (outgoing) {
      seen.put("answer", message);
    } else {
      Witness.of(context, seen);
      seen.put("message", message);
    }
    Map<String, String> named = new TreeMap<>();
    seen.forEach((key, value) -> named.put(by + "." + key, value));
    Sightings.add("handler", named);
    return true;
  }

  /** Sees the whole envelope. */
  public static final class Protocol implements SOAPHandler<SOAPMessageContext> {
    @Override
    public Set<QName> getHeaders() {
      return Set.of();
    }

    @Override
    public boolean handleMessage(SOAPMessageContext context) {
      return sees("protocol", context, CanonicalXml.of(context.getMessage().getSOAPPart().getDocumentElement()));
    }

    @Override
    public boolean handleFault(SOAPMessageContext context) {
      return handleMessage(context);
    }

    @Override
    public void close(MessageContext context) {}
  }

  /** Sees the content of the Body. */
  public static final class Logical implements LogicalHandler<LogicalMessageContext> {
    @Override
    public boolean handleMessage(LogicalMessageContext context) {
      Source payload = context.getMessage().getPayload();
      return sees("logical", context, payload == null ? "none" : TwinProviders.written(TwinProviders.tree(payload)));
    }

    @Override
    public boolean handleFault(LogicalMessageContext context) {
      return handleMessage(context);
    }

    @Override
    public void close(MessageContext context) {}
  }
}
