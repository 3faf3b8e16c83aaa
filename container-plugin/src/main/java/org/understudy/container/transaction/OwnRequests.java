package org.understudy.container.transaction;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.runtime.Call;
import org.understudy.replication.runtime.Proposal;
import org.understudy.replication.runtime.Replica;

/** Requests of the group's own about transactions, which execute no service. Thread-safe; does not block. Tests hold them. */
class OwnRequests {
  private static final Request CONFIRMATION =
      new Request(null, 0, Request.Kind.READ, ReadLevel.LINEARIZABLE, VersionHandle.INITIAL, 0, "", Request.INTERNAL);

  private final Replica replica;

  OwnRequests(Replica replica) {
    this.replica = replica;
  }

  /** Changes the group's state. Completes with null when that is stable, with the reason otherwise. */
  CompletableFuture<Failure> update(StateChange change) {
    return submit(Request.internalUpdate(), List.of(change), () -> {});
  }

  /**
   * Completes with null when it is certain that this replica is the primary, and that all it had applied is stable; with the reason
   * otherwise.
   */
  CompletableFuture<Failure> confirmPrimary() {
    return confirmPrimary(() -> {});
  }

  /** As the other. What is looked up holds if it completes with null: no other replica was the primary then. */
  CompletableFuture<Failure> confirmPrimary(Runnable lookUp) {
    return submit(CONFIRMATION, List.of(), lookUp);
  }

  private CompletableFuture<Failure> submit(Request request, List<StateChange> changes, Runnable first) {
    CompletableFuture<Failure> done = new CompletableFuture<>();
    replica.submit(
        request,
        new Call() {
          @Override
          public void execute(long token, Request.Kind kind) {
            first.run();
            replica.executed(token, Map.of(), Response.EMPTY, changes, Proposal.NOTHING);
          }

          @Override
          public void reply(Reply reply) {
            done.complete(null);
          }

          @Override
          public void fail(Failure failure) {
            done.complete(failure);
          }
        });
    return done;
  }
}
