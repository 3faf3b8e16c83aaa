package org.understudy.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.understudy.counter.CounterPortType;

/** A replica with much to do redirects the client to another one. */
class LoadRedirectTest {
  private final FakeGroup group = new FakeGroup(3);
  private CounterPortType port;
  /** The replica at which this client begins, and the one to which it is redirected. */
  private FakeReplica busy;
  private FakeReplica idle;

  @BeforeEach
  void begin() throws Exception {
    group.allServe();
    port =
        FaultTolerant.client(
            CounterPortType.class, CounterPortType.class.getResource("/wsdl/counter.wsdl"), group.config().build());
    assertEquals(1, port.add(1));
    busy = group.replicas.stream().filter(replica -> !replica.calls.isEmpty()).findFirst().orElseThrow();
    idle = group.replica(busy.id % 3 + 1);
    AtomicInteger redirects = new AtomicInteger();
    busy.script = call -> redirects.getAndIncrement() == 0 ? group.redirect(idle.id) : group.serve(busy, call);
  }

  @AfterEach
  void end() {
    FaultTolerant.close(port);
    group.close();
  }

  @Test
  void theRequestGoesThereWithTheSameSequenceAndLaterOnesToo() throws Exception {
    assertEquals(3, port.add(2));
    Received first = busy.calls.get(1);
    Received second = idle.calls.get(0);
    assertEquals(List.of(2L, 1L), List.of(first.number("Sequence"), first.number("Attempt")));
    assertEquals(List.of(2L, 2L), List.of(second.number("Sequence"), second.number("Attempt")));
    assertEquals(first.withoutHeader(), second.withoutHeader());
    assertEquals(6, port.add(3));
    assertEquals(2, idle.calls.size());
    assertEquals(2, busy.calls.size());
    assertEquals(3, group.executions());
  }

  @Test
  void aDeadTargetCostsNothingButTime() throws Exception {
    idle.close();
    assertEquals(3, port.add(2));
    assertEquals(6, port.add(3));
    assertEquals(3, group.executions());
  }
}
