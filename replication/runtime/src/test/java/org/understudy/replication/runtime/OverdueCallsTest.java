package org.understudy.replication.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Timing;
import org.understudy.replication.core.limit.Limits;
import org.understudy.replication.core.primarybackup.Unreplicated;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.runtime.peer.Channels;
import org.understudy.replication.runtime.peer.FrameSizes;
import org.understudy.test.Condition;
import org.understudy.test.strategy.StepStrategy;

/** Calls that wait or execute for too long get an answer. */
class OverdueCallsTest {
  private static Replica open(Duration deadline, Duration execution) throws Exception {
    ReplicaId self = new ReplicaId(1);
    Replica replica =
        Replica.open(
            new RuntimeSettings(
                self, List.of(self), Path.of("unused"), Timing.of(Duration.ofMillis(50), Duration.ofSeconds(1)),
                Limits.DEFAULTS, deadline, execution, FrameSizes.DEFAULTS),
            new Unreplicated(), Channels.NONE);
    Condition.await("the primary", () -> replica.role() == Role.PRIMARY);
    return replica;
  }

  private static TestCall submit(Replica replica, TestCall call) {
    RequestKey key = new RequestKey.OfMessageId(3, 4);
    replica.submit(new Request(key, 0, Request.Kind.UPDATE, null, VersionHandle.INITIAL, 0, ""), call);
    return call;
  }

  @Test
  void overdueExecutionIsPendingAndItsResultIsStored() throws Exception {
    try (Replica replica = open(Duration.ofSeconds(20), Duration.ofMillis(50))) {
      CompletableFuture<Long> running = new CompletableFuture<>();
      TestCall slow = submit(replica, new TestCall(running::complete));
      Failure pending = assertInstanceOf(Failure.class, slow.answer.get(30, TimeUnit.SECONDS));
      assertEquals(FailureCode.StillPending, pending.code(), pending.sentence());
      TestProposal proposal = new TestProposal();
      replica.executed(running.get(), Map.of(), new Response((byte) 1, new byte[] {7}), List.of(), proposal);
      assertTrue(proposal.committed());
      TestCall again =
          submit(replica, new TestCall(token -> {
            throw new AssertionError("executed twice");
          }));
      Reply reply = assertInstanceOf(Reply.class, again.answer.get(30, TimeUnit.SECONDS));
      assertEquals(Reply.Status.REPLAYED, reply.status());
    }
  }

  @Test
  void waitingDuplicateIsPendingWhileTheExecutionContinues() throws Exception {
    try (Replica replica = open(Duration.ofMillis(50), Duration.ofMinutes(10))) {
      CompletableFuture<Long> running = new CompletableFuture<>();
      TestCall slow = submit(replica, new TestCall(running::complete));
      for (int i = 0; i < 3; i++) {
        TestCall copy = submit(replica, new TestCall(token -> {}));
        Failure pending = assertInstanceOf(Failure.class, copy.answer.get(30, TimeUnit.SECONDS));
        assertEquals(FailureCode.StillPending, pending.code());
      }
      TestProposal proposal = new TestProposal();
      replica.executed(running.get(), Map.of(), new Response((byte) 1, new byte[] {7}), List.of(), proposal);
      assertTrue(proposal.committed());
      Reply reply = assertInstanceOf(Reply.class, slow.answer.get(30, TimeUnit.SECONDS));
      assertEquals(Reply.Status.EXECUTED, reply.status());
    }
  }

  @Test
  void pendingCallFreesItsPlaceInTheCore() throws Exception {
    CompletableFuture<Long> asked = new CompletableFuture<>();
    CompletableFuture<Long> forgotten = new CompletableFuture<>();
    // Answers no request.
    StepStrategy silent = new StepStrategy((input, out) -> {
      if (input instanceof Input.Requested requested) {
        asked.complete(requested.token());
      } else if (input instanceof Input.Abandoned abandoned) {
        forgotten.complete(abandoned.token());
      }
    });
    ReplicaId self = new ReplicaId(1);
    try (Replica replica =
        Replica.open(
            new RuntimeSettings(
                self, List.of(self), Path.of("unused"), Timing.of(Duration.ofMillis(50), Duration.ofSeconds(1)),
                Limits.DEFAULTS, Duration.ofMillis(50)),
            silent, Channels.NONE)) {
      TestCall call = submit(replica, new TestCall(token -> {}));
      Failure pending = assertInstanceOf(Failure.class, call.answer.get(30, TimeUnit.SECONDS));
      assertEquals(FailureCode.StillPending, pending.code());
      assertEquals(asked.get(30, TimeUnit.SECONDS), forgotten.get(30, TimeUnit.SECONDS));
    }
  }
}
