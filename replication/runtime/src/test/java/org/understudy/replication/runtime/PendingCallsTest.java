package org.understudy.replication.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.Request;

class PendingCallsTest {
  private final AtomicBoolean interposes = new AtomicBoolean();
  private final List<Long> givenUp = new ArrayList<>();
  private final List<Long> overdue = new ArrayList<>();
  private final List<Long> begun = new ArrayList<>();
  private long now;
  private final PendingCalls calls = new PendingCalls(this::clock, Duration.ofNanos(100), Duration.ofNanos(1_000));

  /** A thread that is about to begin an execution reads the clock while the ticking thread looks for overdue calls. */
  private long clock() {
    if (interposes.compareAndSet(true, false)) {
      calls.failOverdue(givenUp::add, overdue::add);
    }
    return now;
  }

  /** The group drops an abandoned call and admits a retry: the first must not run beside it. */
  @Test
  void overdueCallIsNotExecuted() throws Exception {
    TestCall call = new TestCall(begun::add);
    calls.add(1, call);
    now = 101;
    interposes.set(true);
    assertFalse(calls.execute(1, Request.Kind.UPDATE));
    assertEquals(List.of(), begun);
    assertEquals(List.of(1L), givenUp);
    assertEquals(FailureCode.StillPending, assertInstanceOf(Failure.class, call.answer.get()).code());
  }

  @Test
  void longExecutionIsReportedAsPendingAndContinues() throws Exception {
    TestCall call = new TestCall(begun::add);
    calls.add(1, call);
    assertTrue(calls.execute(1, Request.Kind.UPDATE));
    now = 1_001;
    calls.failOverdue(givenUp::add, overdue::add);
    calls.failOverdue(givenUp::add, overdue::add);
    assertEquals(List.of(1L), begun);
    assertEquals(List.of(), givenUp);
    assertEquals(List.of(1L), overdue, "once");
    assertEquals(FailureCode.StillPending, assertInstanceOf(Failure.class, call.answer.get()).code());
  }

  /** A client that repeats its request at once must hear that the repetition was not executed. */
  @Test
  void callThatBeginsWhileAllFailIsNotAmongThem() throws Exception {
    List<Failure> failures = new ArrayList<>();
    TestCall repetition = new TestCall(begun::add);
    calls.add(1, new Call() {
      @Override
      public void execute(long token, Request.Kind kind) {
        begun.add(token);
      }

      @Override
      public void reply(Reply reply) {
        throw new AssertionError(reply);
      }

      @Override
      public void fail(Failure failure) {
        failures.add(failure);
        calls.add(2, repetition);
      }
    });
    calls.failAll(new Failure(FailureCode.OutcomeUnknown, "It has halted."));
    assertEquals(1, failures.size());
    assertFalse(repetition.answer.isDone());
    calls.fail(2, new Failure(FailureCode.NotReady, "Nothing was executed."));
    assertEquals(FailureCode.NotReady, assertInstanceOf(Failure.class, repetition.answer.get()).code());
  }
}
