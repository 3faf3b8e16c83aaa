package org.understudy.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.xml.ws.BindingProvider;
import jakarta.xml.ws.Dispatch;
import jakarta.xml.ws.EndpointReference;
import jakarta.xml.ws.Response;
import jakarta.xml.ws.Service;
import jakarta.xml.ws.soap.AddressingFeature;
import jakarta.xml.ws.wsaddressing.W3CEndpointReferenceBuilder;
import java.io.StringReader;
import java.io.StringWriter;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import javax.xml.namespace.QName;
import javax.xml.transform.Source;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMResult;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.understudy.client.invocation.InvocationFailedException;
import org.understudy.counter.CounterPortType;
import org.understudy.replication.api.Certainty;
import org.understudy.replication.api.ReadLevel;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Proxies, Dispatch, asynchronous calls, WS-Addressing, endpoint references, many ports. */
@Timeout(60)
class CallStylesTest {
  private static final QName SERVICE = new QName("http://counter.com", "CounterService");
  private static final QName PORT = new QName("http://counter.com", "CounterPort");
  private final FakeGroup group = new FakeGroup(2);
  private final URL wsdl = CounterPortType.class.getResource("/wsdl/counter.wsdl");
  private final List<Object> ports = new ArrayList<>();

  @AfterEach
  void end() {
    ports.forEach(FaultTolerant::close);
    group.close();
  }

  private <T> T used(T port) {
    ports.add(port);
    return port;
  }

  private static Source add(int value) {
    return new StreamSource(
        new StringReader("<add xmlns=\"http://counter.com\"><value>" + value + "</value></add>"));
  }

  private static String text(Source source) throws Exception {
    StringWriter out = new StringWriter();
    TransformerFactory.newInstance().newTransformer().transform(source, new StreamResult(out));
    return out.toString();
  }

  private Dispatch<Source> dispatch(FaultTolerance config) {
    return used(Service.create(wsdl, SERVICE)
        .createDispatch(PORT, Source.class, Service.Mode.PAYLOAD, FaultTolerant.feature(config)));
  }

  @Test
  void aPortMadeByTheApplicationsOwnService() throws Exception {
    CounterPortType port = used(Service.create(wsdl, SERVICE)
        .getPort(PORT, CounterPortType.class, FaultTolerant.feature(group.config().build())));
    assertEquals(4, port.add(4));
    assertEquals(1, group.replica(1).calls.get(0).number("Sequence"));
  }

  @Test
  void dispatch() throws Exception {
    Dispatch<Source> dispatch = dispatch(group.config().build());
    assertTrue(text(dispatch.invoke(add(3))).contains(">3<"));
    assertEquals(1, group.executions());
  }

  @Test
  void asynchronousCallsKeepTheirOrderOfNumbersAndAckBelowNeverGoesBack() throws Exception {
    Dispatch<Source> dispatch = dispatch(group.config().build());
    List<Response<Source>> responses = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      responses.add(dispatch.invokeAsync(add(1)));
    }
    for (Response<Source> response : responses) {
      response.get();
    }

    assertEquals(1_000, group.executions());
    List<Received> calls = new ArrayList<>(group.replica(1).calls);
    assertEquals(1_000, calls.stream().mapToLong(call -> call.number("Sequence")).distinct().count());
    calls.forEach(call -> assertTrue(call.number("AckBelow") <= call.number("Sequence")));
    dispatch.invoke(add(1));
    Received last = group.replica(1).calls.get(1_000);
    assertEquals(1_001, last.number("AckBelow"), "everything before is answered");
  }

  @Test
  void asynchronousCallsFollowAFailoverToo() throws Exception {
    Dispatch<Source> dispatch = dispatch(group.config().build());
    dispatch.invoke(add(1));
    group.replica(1).script = call -> new Reaction.Hang();
    List<Response<Source>> responses = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      responses.add(dispatch.invokeAsync(add(1)));
    }
    group.until("twenty calls hang", () -> group.replica(1).calls.size() == 21);
    group.install(2, 2);

    for (Response<Source> response : responses) {
      response.get();
    }
    assertEquals(21, group.executions());
  }

  @Test
  void callAboveTheLimitIsRefusedAtOnce() throws Exception {
    Dispatch<Source> dispatch = dispatch(group.config().maxOpenInvocations(2).build());
    dispatch.invoke(add(1));
    group.replica(1).script = call -> new Reaction.Hang();
    Response<Source> first = dispatch.invokeAsync(add(1));
    Response<Source> second = dispatch.invokeAsync(add(1));

    ExecutionException thrown = assertThrows(ExecutionException.class, () -> dispatch.invokeAsync(add(1)).get());
    InvocationFailedException failed = InvocationFailedException.in(thrown).orElseThrow();
    assertEquals(Certainty.NOT_EXECUTED, failed.certainty());

    group.install(2, 2);
    first.get();
    second.get();
  }

  @Test
  void closingEndsOpenCallsAndQueuedOnes() {
    Dispatch<Source> dispatch = dispatch(group.config().asyncThreads(1).build());
    dispatch.invoke(add(1));
    group.replica(1).script = call -> new Reaction.Hang();
    Response<Source> sent = dispatch.invokeAsync(add(1));
    Response<Source> queued = dispatch.invokeAsync(add(1));
    group.until("one call hangs", () -> group.replica(1).calls.size() == 2);

    FaultTolerant.close(dispatch);

    ExecutionException first = assertThrows(ExecutionException.class, sent::get);
    assertEquals(Certainty.UNKNOWN, InvocationFailedException.in(first).orElseThrow().certainty());
    ExecutionException second = assertThrows(ExecutionException.class, queued::get);
    assertEquals(Certainty.NOT_EXECUTED, InvocationFailedException.in(second).orElseThrow().certainty());
  }

  @Test
  void theMessageIdIsTheSameOnEveryAttempt() throws Exception {
    FakeReplica primary = group.replica(1);
    CounterPortType port = used(Service.create(wsdl, SERVICE).getPort(PORT, CounterPortType.class,
        new AddressingFeature(true), FaultTolerant.feature(group.config().build())));
    primary.script = call -> primary.calls.size() == 1 ? new Reaction.Drop() : group.serve(primary, call);
    port.add(1);

    assertEquals(2, primary.calls.size());
    assertTrue(primary.calls.get(0).envelope().contains("MessageID"));
    assertEquals(primary.calls.get(0).withoutHeader(), primary.calls.get(1).withoutHeader());
  }

  @Test
  void theReadLevelAndThePrincipalOfACall() throws Exception {
    CounterPortType port = used(FaultTolerant.client(CounterPortType.class, wsdl, group.config().build()));
    BindingProvider provider = (BindingProvider) port;
    provider.getRequestContext().put(FaultTolerant.READ_LEVEL, ReadLevel.SESSION);
    provider.getRequestContext().put(BindingProvider.USERNAME_PROPERTY, "ann");
    provider.getRequestContext().put(BindingProvider.PASSWORD_PROPERTY, "secret");
    port.add(1);

    Received call = group.replica(1).calls.get(0);
    assertEquals("session", call.text("ReadLevel"));
    assertEquals("Basic YW5uOnNlY3JldA==", call.authorization());
    assertEquals(call.authorization(), group.replica(1).sessionCalls.get(0).authorization());
    provider.getRequestContext().put(BindingProvider.USERNAME_PROPERTY, "bob");
    port.add(1);
    assertEquals(2, group.openSessions());
  }

  @Test
  void aPortOfAResourceKeepsPathAndParametersAtEveryReplica() throws Exception {
    CounterPortType port = used(FaultTolerant.client(
        CounterPortType.class, wsdl, reference("r 7"), group.addresses().toArray(java.net.URI[]::new)));
    port.add(1);
    group.install(2, 2);
    port.add(1);

    for (FakeReplica replica : group.replicas) {
      Received call = replica.calls.get(0);
      assertEquals("/counter/services/CounterService/r7", call.path());
      assertTrue(call.envelope().contains("IsReferenceParameter=\"true\""), call.envelope());
      assertTrue(call.envelope().contains(">r 7<"), call.envelope());
    }
  }

  @Test
  void aPortOfAnEndpointBesideTheServiceFollowsTheServicesPrimary() throws Exception {
    EndpointReference beside = new W3CEndpointReferenceBuilder()
        .address("http://elsewhere.example/counter/services/SubscriptionManager/s1").build();
    try (FaultTolerantGroup shared = FaultTolerant.group(group.config().build())) {
      CounterPortType port = shared.client(CounterPortType.class, wsdl, beside);
      port.add(1);
      group.install(2, 2);
      port.add(1);
    }
    for (FakeReplica replica : group.replicas) {
      assertEquals("/counter/services/SubscriptionManager/s1", replica.calls.get(0).path());
    }
  }

  @Test
  void groupReturnsEveryKnownReplica() throws Exception {
    FaultTolerance one = group.config().replicas(List.of(group.replica(2).address)).build();
    try (FaultTolerantGroup shared = FaultTolerant.group(one)) {
      assertEquals(List.of(group.replica(2).address), shared.replicas());
      shared.client(CounterPortType.class, wsdl).add(1);
      assertEquals(group.addresses(), shared.replicas());
    }
  }

  @Test
  void endpointReferenceIsSufficient() throws Exception {
    CounterPortType port = used(FaultTolerant.client(CounterPortType.class, wsdl, reference("x")));
    assertEquals(2, port.add(2));
    assertEquals("/counter/services/CounterService/r7", group.replica(1).calls.get(0).path());
  }

  @Test
  void aForeignEndpointReferenceIsRefused() {
    EndpointReference foreign = new W3CEndpointReferenceBuilder().address("http://elsewhere.example/other/1").build();
    assertThrows(IllegalArgumentException.class, () -> FaultTolerant.client(
        CounterPortType.class, wsdl, foreign, group.addresses().toArray(java.net.URI[]::new)));
  }

  @Test
  void portsOfAGroupShareOneSession() throws Exception {
    try (FaultTolerantGroup shared = FaultTolerant.group(group.config().build())) {
      for (int i = 0; i < 20; i++) {
        shared.client(CounterPortType.class, wsdl, reference("r" + i)).add(1);
      }
      assertEquals(1, group.openSessions());
      assertEquals(20, group.executions());
      long threads = Thread.getAllStackTraces().keySet().stream()
          .filter(thread -> thread.getName().startsWith("understudy-client-")).count();
      assertTrue(threads <= 2, threads + " threads");
    }
    assertEquals(0, group.openSessions());
  }

  private EndpointReference reference(String parameter) throws Exception {
    DOMResult dom = new DOMResult();
    TransformerFactory.newInstance().newTransformer().transform(
        new StreamSource(new StringReader("<c:id xmlns:c=\"http://counter.com\">" + parameter + "</c:id>")), dom);
    Element id = ((Document) dom.getNode()).getDocumentElement();
    return new W3CEndpointReferenceBuilder().address(group.replica(1).address + "/r7").referenceParameter(id).build();
  }
}
