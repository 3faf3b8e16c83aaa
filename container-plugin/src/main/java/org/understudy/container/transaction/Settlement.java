package org.understudy.container.transaction;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.api.decision.DecisionStoreException;
import org.understudy.replication.api.decision.InDoubt;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.runtime.Replica;
import org.understudy.replication.runtime.transaction.DecisionCall;

/**
 * The steps by which a decision about a transaction takes effect in this group. Thread-safe. Each blocks until the group's log has it
 * stable, at most up to the end that the caller gives, in {@link System#nanoTime()}; an {@link IllegalStateException} with a sentence then
 * says that nothing is known to be stable.
 */
final class Settlement {
  private static final Logger LOG = LoggerFactory.getLogger(Settlement.class);
  private static final long PAUSE_MS = 5;

  private final Replica replica;
  private final DatabaseBranches branches;
  private final OwnRequests requests;
  private final OperatorDecisions operators;
  private final DecisionTurns turns;
  private final Failpoint.Replicated failpoints;

  Settlement(
      Replica replica,
      DatabaseBranches branches,
      OwnRequests requests,
      OperatorDecisions operators,
      DecisionTurns turns,
      Failpoint.Replicated failpoints) {
    this.turns = turns;
    this.replica = replica;
    this.branches = branches;
    this.requests = requests;
    this.operators = operators;
    this.failpoints = failpoints;
  }

  boolean isPrimary() {
    return replica.routing().servesUpdates();
  }

  boolean isMember() {
    return !replica.routing().served().isEmpty();
  }

  /** What is prepared here for a transaction; null for nothing. */
  InDoubt find(String transaction) {
    return replica.undecided().stream().filter(one -> one.participant().transaction().equals(transaction)).findFirst().orElse(null);
  }

  boolean isPrepared(String transaction) {
    return find(transaction) != null;
  }

  /** Marks a decision at the primary; waits for the mark at a backup. What an operator has decided stands, whoever asks. */
  void settle(String transaction, Decision asked, long end) {
    requireMember(transaction);
    boolean stable = false;
    for (InDoubt doubt = find(transaction); doubt != null; doubt = find(transaction)) {
      if (!isPrimary()) {
        pause(transaction, end);
      } else if (await(mark(doubt, asked), transaction, end)) {
        LOG.debug("The transaction {} is decided. Asked for: {}.", transaction, asked);
        branches.settled(doubt);
        stable = true;
        break;
      }
    }
    requireMember(transaction);
    if (isPrimary() && !stable) {
      endKept(transaction, end);
      requirePrimary(transaction, end);
    }
  }

  /** A backup looks again a little later. */
  private static void pause(String transaction, long end) {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw undecided(transaction, e);
    }
    requireTime(transaction, end);
  }

  private static void requireTime(String transaction, long end) {
    if (System.nanoTime() - end > 0) {
      throw undecided(transaction, null);
    }
  }

  private CompletableFuture<Boolean> mark(InDoubt doubt, Decision asked) {
    CompletableFuture<Boolean> settled = new CompletableFuture<>();
    String transaction = doubt.participant().transaction();
    OperatorDecisions.Entry before = operators.find(transaction);
    Decision decision = before == null ? asked : before.decision();
    end(doubt, decision);
    failpoints.reached(Failpoint.MARK_BEFORE, transaction);
    replica.decide(
        doubt.id(), decision,
        new DecisionCall() {
          @Override
          public void settled() {
            settled.complete(true);
          }

          @Override
          public void lost() {
            settled.complete(false);
          }
        });
    return settled;
  }

  /** Before the mark: what the log shows as decided is decided in the database too. */
  private void end(InDoubt doubt, Decision decision) {
    try {
      branches.end(doubt, decision);
    } catch (DecisionStoreException e) {
      throw undecided(doubt.participant().transaction(), e);
    }
  }

  /** An operator's decision about a lost branch is kept before the branch ends, which a failure of the primary can prevent. */
  private void endKept(String transaction, long end) {
    OperatorDecisions.Entry kept = operators.find(transaction);
    if (kept != null) {
      // It may not be stable. A next primary without it would not find the branch that it is to commit.
      confirmPrimary(transaction, end);
      try {
        branches.left().end(transaction, kept.part(), kept.decision());
      } catch (DecisionStoreException e) {
        throw undecided(transaction, e);
      }
    }
  }

  /** A replaced primary that has not noticed it may lack what is prepared. */
  private void requirePrimary(String transaction, long end) {
    confirmPrimary(transaction, end);
    if (isPrepared(transaction)) {
      throw undecided(transaction, null);
    }
  }

  /** A replica outside the view may lack what is prepared. */
  private void requireMember(String transaction) {
    if (!isMember()) {
      throw undecided(transaction, null);
    }
  }

  /** Changes the group's state. The turn of the transaction's decision goes on until the log has that, or never will. */
  void store(StateChange change, String transaction, long end) {
    if (!succeeds(submit(change, transaction), transaction, end)) {
      throw undecided(transaction, null);
    }
  }

  /** As {@link #store}. Does not block. */
  CompletableFuture<Failure> submit(StateChange change, String transaction) {
    CompletableFuture<Failure> stored = requests.update(change);
    turns.goOnUntil(transaction, stored);
    return stored;
  }

  /** Returns when this replica is certain to be the primary, and what it had applied is stable. */
  void confirmPrimary(String transaction, long end) {
    if (!isConfirmed(transaction, end)) {
      throw undecided(transaction, null);
    }
  }

  /** Whether this replica is certain to be the primary. */
  boolean isConfirmed(String transaction, long end) {
    return succeeds(requests.confirmPrimary(), transaction, end);
  }

  private static boolean succeeds(CompletableFuture<Failure> request, String transaction, long end) {
    return await(request.thenApply(failure -> failure == null), transaction, end);
  }

  private static boolean await(CompletableFuture<Boolean> settled, String transaction, long end) {
    try {
      if (settled.get(Math.max(1, end - System.nanoTime()), TimeUnit.NANOSECONDS)) {
        return true;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw undecided(transaction, e);
    } catch (TimeoutException | ExecutionException e) {
      throw undecided(transaction, e);
    }
    requireTime(transaction, end);
    return false;
  }

  /** @param cause null for none */
  static IllegalStateException undecided(String transaction, Exception cause) {
    return new IllegalStateException(
        "The decision of the transaction " + transaction + " is not stable at this replica yet. Send it again.", cause);
  }
}
