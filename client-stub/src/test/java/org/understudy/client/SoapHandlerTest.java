package org.understudy.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import jakarta.xml.ws.BindingProvider;
import jakarta.xml.ws.handler.MessageContext;
import jakarta.xml.ws.handler.soap.SOAPHandler;
import jakarta.xml.ws.handler.soap.SOAPMessageContext;
import java.net.URL;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import javax.xml.namespace.QName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.understudy.counter.CounterPortType;

/** SOAP handlers of the application, which run for each attempt. */
@Timeout(60)
class SoapHandlerTest {
  private final FakeGroup group = new FakeGroup(2);
  private final URL wsdl = CounterPortType.class.getResource("/wsdl/counter.wsdl");
  private final CounterPortType port = FaultTolerant.client(CounterPortType.class, wsdl, group.config().build());

  @AfterEach
  void end() {
    FaultTolerant.close(port);
    group.close();
  }

  private void handle(Predicate<SOAPMessageContext> outbound) {
    SOAPHandler<SOAPMessageContext> handler =
        new SOAPHandler<>() {
          @Override
          public Set<QName> getHeaders() {
            return Set.of();
          }

          @Override
          public boolean handleMessage(SOAPMessageContext context) {
            return !Boolean.TRUE.equals(context.get(MessageContext.MESSAGE_OUTBOUND_PROPERTY)) || outbound.test(context);
          }

          @Override
          public boolean handleFault(SOAPMessageContext context) {
            return true;
          }

          @Override
          public void close(MessageContext context) {}
        };
    ((BindingProvider) port).getBinding().setHandlerChain(List.of(handler));
  }

  @Test
  void theHttpHeadersOfAHandlerAreSentWithEachAttempt() throws Exception {
    FakeReplica primary = group.replica(1);
    primary.script = call -> primary.calls.size() == 1 ? new Reaction.Drop() : group.serve(primary, call);
    AtomicInteger attempts = new AtomicInteger();
    handle(context -> {
      context.put(MessageContext.HTTP_REQUEST_HEADERS, Map.of(
          "X-Trace", List.of("t" + attempts.incrementAndGet()), "Authorization", List.of("Bearer a"), "Host", List.of("h")));
      return true;
    });
    assertEquals(1, port.add(1));
    assertEquals(List.of("t1", "t2"), primary.calls.stream().map(Received::trace).toList());
    assertEquals("Bearer a", primary.calls.get(1).authorization());
  }
}
