package org.understudy.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.understudy.client.envelope.Envelope;
import org.understudy.counter.CounterPortType;

/** The first request at a replica that joined, over HTTP. Its client prefers that replica, and so tries it at once. */
class NewcomerTest {
  private final FakeGroup group = new FakeGroup(3);
  private final FakeReplica newcomer = group.replica(3);
  private FaultTolerantGroup client;
  private CounterPortType port;
  private int total;

  @BeforeEach
  void begin() throws Exception {
    group.allServe();
    group.leaveOut(3);
    client = FaultTolerant.group(group.config().preferred(newcomer.address).build());
    port = client.client(CounterPortType.class, CounterPortType.class.getResource("/wsdl/counter.wsdl"));
    add();
  }

  @AfterEach
  void end() {
    client.close();
    group.close();
  }

  private void add() throws Exception {
    assertEquals(++total, port.add(1));
  }

  /** Calls until the newcomer has received a call. */
  private void callUntilTried() throws Exception {
    group.leaveOut(0);
    while (newcomer.calls.isEmpty()) {
      add();
    }
  }

  @Test
  void aRequestThatItDoesNotAnswerInTimeIsAnsweredByAnother() throws Exception {
    newcomer.script = call -> new Reaction.Hang();
    callUntilTried();
    assertEquals(total, group.executions());
    Received tried = newcomer.calls.get(0);
    Received second = elsewhere(tried.number("Sequence"));
    assertEquals(List.of(1L, 2L), List.of(tried.number("Attempt"), second.number("Attempt")));
    assertEquals(tried.withoutHeader(), second.withoutHeader());
    add();
  }

  /** The call with this number at another replica. */
  private Received elsewhere(long sequence) {
    return group.replicas.stream().filter(replica -> replica != newcomer).flatMap(replica -> replica.calls.stream())
        .filter(call -> call.number("Sequence") == sequence).findFirst().orElseThrow();
  }

  @Test
  void aLateExecutionIsTheSameOne() throws Exception {
    CountDownLatch answered = new CountDownLatch(1);
    CountDownLatch late = new CountDownLatch(1);
    newcomer.script = call -> {
      try {
        answered.await();
        return group.serve(newcomer, call);
      } catch (InterruptedException e) {
        return new Reaction.Drop();
      } finally {
        late.countDown();
      }
    };
    callUntilTried();
    answered.countDown();
    late.await();
    assertEquals(total, group.executions());
    add();
  }

  @Test
  void aRequestWithALongEnvelopeIsNotFitForATrial() {
    assertTrue(message(60_000).isShort());
    assertFalse(message(70_000).isShort());
  }

  private static OutgoingMessage message(int length) {
    byte[] bytes = ("<s:Envelope xmlns:s=\"e\"><s:Body>" + "x".repeat(length) + "</s:Body></s:Envelope>").getBytes(StandardCharsets.UTF_8);
    return new SharedEnvelope(Envelope.of(bytes, bytes.length), "text/xml", new HttpFields(Map.of(), null));
  }
}
