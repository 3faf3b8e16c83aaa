package org.understudy.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.xml.soap.SOAPException;
import jakarta.xml.soap.SOAPMessage;
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

  private static boolean answer(SOAPMessageContext context) {
    try {
      SOAPMessage message = context.getMessage();
      message.getSOAPBody().removeContents();
      QName response = new QName("http://counter.com", "addResponse");
      message.getSOAPBody().addBodyElement(response).addChildElement(new QName("http://counter.com", "total"))
          .addTextNode("42");
      message.saveChanges();
      return false;
    } catch (SOAPException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aHandlersOwnResponseIsTheResultAndNothingIsSent() throws Exception {
    handle(SoapHandlerTest::answer);
    assertEquals(42, port.add(1));
    assertTrue(group.replica(1).calls.isEmpty(), () -> "sent: " + group.replica(1).calls);
    handle(context -> true);
    assertEquals(1, port.add(1));
    assertEquals(1, group.replica(1).calls.size());
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
