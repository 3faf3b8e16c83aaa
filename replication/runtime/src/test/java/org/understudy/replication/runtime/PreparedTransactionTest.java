package org.understudy.replication.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.api.decision.DecisionId;
import org.understudy.replication.api.decision.InDoubt;
import org.understudy.replication.api.decision.ParticipantRecord;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.runtime.transaction.DecisionCall;
import org.understudy.test.Condition;

/** What a group prepares for the coordinator of a transaction survives its primary, locked, until it is decided. */
class PreparedTransactionTest {
  private static final ParticipantRecord TRANSACTION = new ParticipantRecord("urn:transaction:1", new byte[] {7});

  @TempDir Path directory;

  private static final class Vote implements Proposal {
    final CompletableFuture<DecisionId> id = new CompletableFuture<>();
    final CompletableFuture<String> end = new CompletableFuture<>();

    @Override
    public void prepared(DecisionId prepared) {
      id.complete(prepared);
    }

    @Override
    public void commit() {
      end.complete("commit");
    }

    @Override
    public void rollback() {
      end.complete("rollback");
    }
  }

  private static Vote prepare(Replica replica, String resource) {
    Vote vote = new Vote();
    List<StateChange> changes = List.of(new StateChange(resource, new byte[] {1}));
    replica.submit(
        new Request(null, 0, Request.Kind.UPDATE, null, VersionHandle.INITIAL, 0, "", "address:1"),
        new TestCall(token -> replica.prepared(token, Map.of(resource, 0L), changes, TRANSACTION, vote)));
    return vote;
  }

  private static Object read(Replica replica, String resource) throws Exception {
    TestCall call =
        new TestCall(
            token ->
                replica.executed(
                    token, Map.of(resource, replica.version(resource)),
                    new Response((byte) 1, replica.state(resource) == null ? new byte[0] : replica.state(resource)), List.of(),
                    new TestProposal()));
    replica.submit(new Request(null, 0, Request.Kind.READ, ReadLevel.LINEARIZABLE, VersionHandle.INITIAL, 0, ""), call);
    return call.answer.get(30, TimeUnit.SECONDS);
  }

  private static String decide(Replica replica, DecisionId id, Decision decision) throws Exception {
    CompletableFuture<String> answer = new CompletableFuture<>();
    replica.decide(
        id,
        decision,
        new DecisionCall() {
          @Override
          public void settled() {
            answer.complete("settled");
          }

          @Override
          public void lost() {
            answer.complete("lost");
          }
        });
    return answer.get(30, TimeUnit.SECONDS);
  }

  @Test
  void newPrimaryKeepsWhatItsPredecessorPrepared() throws Exception {
    try (Group group = new Group(directory, 3)) {
      List<List<InDoubt>> reported = new ArrayList<>();
      for (Replica replica : group.replicas.values()) {
        replica.participate(
            updates -> {
              synchronized (reported) {
                reported.add(updates);
              }
            });
      }
      int first = group.awaitPrimary(3);
      Replica primary = group.replicas.get(first);
      Vote kept = prepare(primary, "kept");
      Vote dropped = prepare(primary, "dropped");
      DecisionId keptId = kept.id.get(30, TimeUnit.SECONDS);
      DecisionId droppedId = dropped.id.get(30, TimeUnit.SECONDS);
      assertEquals(List.of(keptId, droppedId), primary.undecided().stream().map(InDoubt::id).toList());
      assertEquals(FailureCode.Overloaded, ((Failure) read(primary, "kept")).code());
      assertInstanceOf(Reply.class, read(primary, "other"));

      group.stop(first);
      Replica next = group.replicas.get(group.awaitPrimary(2));
      Condition.await(
          () -> {
            synchronized (reported) {
              return !reported.isEmpty();
            }
          });
      synchronized (reported) {
        assertEquals(
            List.of(
                List.of(
                    new InDoubt(keptId, TRANSACTION, List.of("kept")), new InDoubt(droppedId, TRANSACTION, List.of("dropped")))),
            reported);
      }
      assertEquals(FailureCode.Overloaded, ((Failure) read(next, "kept")).code());
      assertEquals("lost", decide(next, new DecisionId(keptId.epoch() + 9, keptId.index()), Decision.ABORTED));
      CompletableFuture<Long> running = new CompletableFuture<>();
      TestCall overtaken = new TestCall(running::complete);
      next.submit(new Request(null, 0, Request.Kind.UPDATE, null, VersionHandle.INITIAL, 0, "", "address:1"), overtaken);
      long token = running.get(30, TimeUnit.SECONDS);
      Map<String, Long> before = Map.of("kept", next.version("kept"));
      assertEquals("settled", decide(next, keptId, Decision.COMMITTED));
      Response done = new Response((byte) 1, new byte[0]);
      next.executed(token, before, done, List.of(new StateChange("kept", new byte[0])), new TestProposal());
      assertEquals(
          FailureCode.NotReady, ((Failure) overtaken.answer.get(30, TimeUnit.SECONDS)).code(), "it has read what the mark changed");
      assertEquals("settled", decide(next, droppedId, Decision.ABORTED));
      assertEquals("lost", decide(next, keptId, Decision.ABORTED));
      assertEquals(1, ((Reply) read(next, "kept")).response().body().length);
      assertEquals(0, ((Reply) read(next, "dropped")).response().body().length);
      Condition.await(() -> group.replicas.values().stream().allMatch(replica -> replica.undecided().isEmpty()));
      for (Replica replica : group.replicas.values()) {
        Condition.await(() -> replica.state("kept") != null);
        assertNull(replica.state("dropped"));
      }
      for (Replica replica : group.replicas.values()) {
        if (replica != next) {
          assertEquals("lost", decide(replica, keptId, Decision.COMMITTED), "a backup decides nothing");
        }
      }
    }
  }
}
