package org.understudy.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.xml.ws.WebServiceException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.understudy.client.invocation.InvocationFailedException;
import org.understudy.counter.CounterPortType;
import org.understudy.replication.api.Certainty;
import org.understudy.replication.api.FailureCode;

/** The stub against replicas that die, hang, point elsewhere and lie about the time, over real sockets. */
@Timeout(60)
class FailoverTest {
  private final FakeGroup group = new FakeGroup(3);
  private CounterPortType port;

  @AfterEach
  void end() {
    if (port != null) {
      FaultTolerant.close(port);
    }
    group.close();
  }

  private CounterPortType port(UnaryOperator<FaultTolerance.Builder> change) {
    port = FaultTolerant.client(CounterPortType.class, CounterPortType.class.getResource("/wsdl/counter.wsdl"),
        change.apply(group.config()).build());
    return port;
  }

  /**
   * A port whose calls have a deadline, which has made a call. Another port before it has loaded the classes: on a busy machine that
   * takes longer.
   */
  private CounterPortType portWithin(Duration deadline, UnaryOperator<FaultTolerance.Builder> change) throws Exception {
    port(c -> c).add(1);
    FaultTolerant.close(port);
    port(c -> change.apply(c.deadline(deadline))).add(1);
    return port;
  }

  /** Reacts to the first call as given, later as a sound replica does. */
  private Function<Received, Reaction> first(FakeReplica at, Function<Received, Reaction> reaction) {
    AtomicInteger count = new AtomicInteger();
    return call -> count.getAndIncrement() == 0 ? reaction.apply(call) : group.serve(at, call);
  }

  @Test
  void aCallIsOneSequenceNumberAndOneExecution() throws Exception {
    assertEquals(5, port(c -> c).add(5));
    assertEquals(7, port.add(2));

    List<Received> calls = group.replica(1).calls;
    assertEquals(List.of(1L, 2L), calls.stream().map(call -> call.number("Sequence")).toList());
    assertEquals(List.of(1L, 1L), calls.stream().map(call -> call.number("Attempt")).toList());
    assertEquals(2, calls.get(1).number("AckBelow"), "the first is answered");
    assertEquals("1.1", calls.get(1).text("VersionHandle"), "what the first answer told");
    assertEquals(1, calls.get(1).number("Epoch"));
    assertNull(calls.get(0).text("ReadLevel"));
  }

  @Test
  void lostReplyIsRequestedAgainAndReplayed() throws Exception {
    FakeReplica primary = group.replica(1);
    primary.script = first(primary, call -> {
      group.execute(call);
      return new Reaction.Drop();
    });

    assertEquals(5, port(c -> c).add(5));

    assertEquals(1, group.executions());
    assertEquals(List.of(1L, 1L), primary.calls.stream().map(call -> call.number("Sequence")).toList());
    assertEquals(List.of(1L, 2L), primary.calls.stream().map(call -> call.number("Attempt")).toList());
    assertEquals(primary.calls.get(0).withoutHeader(), primary.calls.get(1).withoutHeader());
  }

  @Test
  void newViewAbortsAHangingCall() throws Exception {
    port(c -> c.responseTimeout(Duration.ofHours(1))).add(1);
    FakeReplica old = group.replica(1);
    old.script = call -> {
      group.install(2, 2);
      return new Reaction.Hang();
    };

    assertEquals(3, port.add(2), "without waiting for any timeout");

    Received again = group.replica(2).calls.get(0);
    assertEquals(2, again.number("Sequence"));
    assertEquals(2, again.number("Attempt"));
    assertEquals(2, again.number("Epoch"));
    assertEquals(old.calls.get(1).withoutHeader(), again.withoutHeader());
  }

  @Test
  void aRedirectIsFollowed() throws Exception {
    group.unwatched();
    port(c -> c).add(1);
    group.install(2, 3);

    assertEquals(3, port.add(2));
    assertEquals(1, group.replica(3).calls.size());
    assertEquals(0, group.replica(2).calls.size(), "straight to the primary");
  }

  @Test
  void crashedPrimaryIsReplacedByTheNextReplicas() throws Exception {
    group.unwatched();
    port(c -> c).add(1);
    group.install(2, 3);
    group.replica(1).close();

    assertEquals(3, port.add(2));
    assertEquals(2, group.executions());
  }

  @Test
  void aViewOfALowerEpochIsIgnored() throws Exception {
    group.unwatched();
    group.install(5, 1);
    port(c -> c).add(1);
    FakeReplica primary = group.replica(1);
    primary.script = first(primary, call -> group.refuse(FailureCode.NotPrimary, "no", 4, 2));

    assertEquals(3, port.add(2));

    assertEquals(3, primary.calls.size(), "asked again, since nobody else can be the primary of epoch 5");
    assertEquals(5, primary.calls.get(2).number("Epoch"));
  }

  @Test
  void pendingCallIsRetried() throws Exception {
    FakeReplica primary = group.replica(1);
    primary.script = first(primary, call -> {
      group.execute(call);
      return group.refuse(FailureCode.StillPending, "pending");
    });

    assertEquals(5, port(c -> c).add(5));
    assertEquals(1, group.executions());
  }

  @Test
  void expiredSessionIsReportedAndNothingResent() throws Exception {
    port(c -> c).add(1);
    group.expireSessions();

    WebServiceException thrown = assertThrows(WebServiceException.class, () -> port.add(2));

    InvocationFailedException failed = InvocationFailedException.in(thrown).orElseThrow();
    assertEquals(FailureCode.SessionExpired, failed.code().orElseThrow());
    assertEquals(Certainty.NOT_EXECUTED, failed.certainty());
    assertEquals(failed.getMessage(), thrown.getMessage());
    assertEquals(2, group.replica(1).calls.size());
    assertEquals(1, group.executions());

    assertEquals(4, port.add(3), "the next call has a new session");
    assertEquals(1, group.replica(1).calls.get(2).number("Sequence"));
  }

  @Test
  void storedOutcomeAppliesToAllAttempts() throws Exception {
    port(c -> c).add(1);
    for (FailureCode code : new FailureCode[] {FailureCode.TooLarge, FailureCode.ReplyDiscarded}) {
      Certainty certainty = code.certainty();
      group.replica(1).script = first(group.replica(1), call -> {
        group.replica(1).script = again -> group.refuse(code, certainty == Certainty.EXECUTED ? "yes" : "no");
        return group.refuse(FailureCode.OutcomeUnknown, "unknown");
      });

      WebServiceException thrown = assertThrows(WebServiceException.class, () -> port.add(2));

      InvocationFailedException failed = InvocationFailedException.in(thrown).orElseThrow();
      assertEquals(code, failed.code().orElseThrow());
      assertEquals(certainty, failed.certainty());
    }
  }

  @Test
  void atTheDeadlineEveryAddressIsNamedAndTheCallMayHaveRun() throws Exception {
    portWithin(Duration.ofSeconds(1), c -> c.responseTimeout(Duration.ofMillis(100)));
    group.replica(1).script = call -> new Reaction.Hang();

    WebServiceException thrown = assertThrows(WebServiceException.class, () -> port.add(2));

    InvocationFailedException failed = InvocationFailedException.in(thrown).orElseThrow();
    assertEquals(Certainty.UNKNOWN, failed.certainty());
    group.addresses().forEach(
        address -> assertTrue(thrown.getMessage().contains(address.toString()), thrown.getMessage()));
    assertTrue(thrown.getMessage().contains("NotPrimary"), thrown.getMessage());
  }

  @Test
  void unreachableReplicasMeanNotExecuted() throws Exception {
    // Both calls end before the stub leaves unreachable replicas out, after a second.
    portWithin(Duration.ofMillis(400), c -> c);
    group.replicas.forEach(FakeReplica::close);
    // The connection that the first call left is broken now; a call that fails on it cannot know that.
    assertThrows(WebServiceException.class, () -> port.add(2));

    WebServiceException thrown = assertThrows(WebServiceException.class, () -> port.add(2));

    InvocationFailedException failed = InvocationFailedException.in(thrown).orElseThrow();
    assertEquals(Certainty.NOT_EXECUTED, failed.certainty());
    assertEquals(3, failed.tried().size());
  }

  @Test
  void aDefinitiveRefusalUntilTheDeadlineMeansNotExecuted() throws Exception {
    portWithin(Duration.ofSeconds(1), c -> c);
    group.replicas.forEach(r -> r.script = call -> group.refuse(FailureCode.NoQuorum, "no"));

    WebServiceException thrown = assertThrows(WebServiceException.class, () -> port.add(2));

    assertEquals(Certainty.NOT_EXECUTED, InvocationFailedException.in(thrown).orElseThrow().certainty());
    assertFalse(InvocationFailedException.in(thrown).orElseThrow().tried().isEmpty());
  }

  @Test
  void forbiddenIsFinal() throws Exception {
    port(c -> c).add(1);
    group.replica(1).script = call -> new Reaction.Say(403, "text/html", "<html>no</html>");

    WebServiceException thrown = assertThrows(WebServiceException.class, () -> port.add(2));

    assertTrue(thrown.getMessage().contains("HTTP 403"), thrown.getMessage());
    assertEquals(Certainty.NOT_EXECUTED, InvocationFailedException.in(thrown).orElseThrow().certainty());
    assertEquals(2, group.replica(1).calls.size());
  }

  @Test
  void deployingReplicaIsSkipped() throws Exception {
    port(c -> c).add(1);
    FakeReplica primary = group.replica(1);
    primary.script = first(primary, call -> new Reaction.Say(404, "text/html", "<html>starting</html>"));

    assertEquals(3, port.add(2));
  }

  @Test
  void missingServiceFailsBeforeTheDeadline() throws Exception {
    port(c -> c.deadline(Duration.ofSeconds(10))).add(1);
    for (int id = 1; id <= 3; id++) {
      group.replica(id).script = call -> new Reaction.Say(404, "text/html", "<html>nothing here</html>");
    }

    WebServiceException thrown = assertThrows(WebServiceException.class, () -> port.add(2));

    assertTrue(thrown.getMessage().contains("check the address"), thrown.getMessage());
    assertEquals(Certainty.NOT_EXECUTED, InvocationFailedException.in(thrown).orElseThrow().certainty());
  }

  @Test
  void aDoctypeIsRefused() throws Exception {
    portWithin(Duration.ofSeconds(1), c -> c);
    group.replica(1).script = call -> new Reaction.Say(200, "text/xml", "<!DOCTYPE x><x/>");

    WebServiceException thrown = assertThrows(WebServiceException.class, () -> port.add(2));
    assertTrue(thrown.getMessage().contains("DOCTYPE"), thrown.getMessage());
  }

  @Test
  void anIdleSessionIsRenewedAndClosedAtTheEnd() throws Exception {
    group.lease(3);
    port(c -> c).add(1);

    group.until("a renewal", () -> group.replica(1).sessionCalls.stream().anyMatch(c -> c.isSessionOperation("RenewSession")));
    FaultTolerant.close(port);
    port = null;

    assertEquals(0, group.openSessions());
    group.until("no threads of the stub", () -> Thread.getAllStackTraces().keySet().stream()
        .noneMatch(thread -> thread.isAlive() && thread.getName().startsWith("understudy-client-")));
  }
}
