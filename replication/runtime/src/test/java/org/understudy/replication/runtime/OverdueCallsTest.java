package org.understudy.replication.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.core.Failure;
import org.understudy.replication.core.Limits;
import org.understudy.replication.core.Reply;
import org.understudy.replication.core.Request;
import org.understudy.replication.core.RequestKey;
import org.understudy.replication.core.Response;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Timing;
import org.understudy.replication.core.primarybackup.Unreplicated;

/** Calls that wait or execute for too long get an answer. */
class OverdueCallsTest {
  private static final SessionId SESSION = new SessionId(3, 4);

  private static Replica open(Duration deadline, Duration execution) throws Exception {
    ReplicaId self = new ReplicaId(1);
    Replica replica =
        Replica.open(
            new RuntimeSettings(
                self, List.of(self), Path.of("unused"), Timing.of(Duration.ofMillis(50), Duration.ofSeconds(1)),
                Limits.DEFAULTS, deadline, execution, FrameSizes.DEFAULTS),
            new Unreplicated(), null);
    Group.await("the primary", () -> replica.role() == Role.PRIMARY);
    return replica;
  }

  private static TestCall submit(Replica replica, long sequence, Request.Kind kind, TestCall call) {
    replica.submit(
        new Request(new RequestKey.OfSession(SESSION, sequence), 0, kind, null, VersionHandle.INITIAL, 0, ""), call);
    return call;
  }

  @Test
  void anExecutionThatDoesNotEndIsPendingAndItsResultIsKept() throws Exception {
    try (Replica replica = open(Duration.ofSeconds(20), Duration.ofMillis(50))) {
      submit(replica, 0, Request.Kind.OPEN_SESSION, new TestCall(token -> {})).answer.get(30, TimeUnit.SECONDS);
      CompletableFuture<Long> running = new CompletableFuture<>();
      TestCall slow = submit(replica, 1, Request.Kind.UPDATE, new TestCall(running::complete));
      Failure pending = assertInstanceOf(Failure.class, slow.answer.get(30, TimeUnit.SECONDS));
      assertEquals(FailureCode.StillPending, pending.code(), pending.sentence());
      assertTrue(replica.executed(running.get(), new Response((byte) 1, new byte[] {7}), List.of()), "it stands");
      TestCall again =
          submit(replica, 1, Request.Kind.UPDATE, new TestCall(token -> {
            throw new AssertionError("executed twice");
          }));
      Reply reply = assertInstanceOf(Reply.class, again.answer.get(30, TimeUnit.SECONDS));
      assertEquals(Reply.Status.REPLAYED, reply.status());
    }
  }

  @Test
  void aCopyThatWaitsForAnExecutionIsPendingWhileTheExecutionGoesOn() throws Exception {
    try (Replica replica = open(Duration.ofMillis(50), Duration.ofSeconds(600))) {
      submit(replica, 0, Request.Kind.OPEN_SESSION, new TestCall(token -> {})).answer.get(30, TimeUnit.SECONDS);
      CompletableFuture<Long> running = new CompletableFuture<>();
      TestCall slow = submit(replica, 1, Request.Kind.UPDATE, new TestCall(running::complete));
      for (int i = 0; i < 3; i++) {
        TestCall copy = submit(replica, 1, Request.Kind.UPDATE, new TestCall(token -> {}));
        Failure pending = assertInstanceOf(Failure.class, copy.answer.get(30, TimeUnit.SECONDS));
        assertEquals(FailureCode.StillPending, pending.code());
      }
      assertTrue(replica.executed(running.get(), new Response((byte) 1, new byte[] {7}), List.of()));
      Reply reply = assertInstanceOf(Reply.class, slow.answer.get(30, TimeUnit.SECONDS));
      assertEquals(Reply.Status.EXECUTED, reply.status());
    }
  }
}
