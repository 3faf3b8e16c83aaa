package org.understudy.container.transaction;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.RequestClass;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.api.decision.DecisionStoreException;
import org.understudy.replication.api.decision.InDoubt;
import org.understudy.replication.runtime.Replica;

/**
 * This replica's part in transactions that coordinators outside the group decide. The primary prepares and marks; each backup votes and
 * acknowledges when it holds what the primary has done, so a coordinator reaches the next primary under its own address. Thread-safe.
 */
final class GroupParticipant implements TransactionParticipant {
  private static final Logger LOG = LoggerFactory.getLogger(GroupParticipant.class);
  private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(20);
  private static final long PAUSE_MS = 5;

  private final Replica replica;
  private final CoordinatedTransactions transactions;
  private final OpenTransactions open;
  private final OperatorDecisions operators;
  private final DecisionTurns turns;
  private final Settlement settlement;
  /** The decisions of operators that are logged as contradicted, until they are forgotten. */
  private final Set<String> contradicted = ConcurrentHashMap.newKeySet();

  GroupParticipant(
      Replica replica,
      CoordinatedTransactions transactions,
      OpenTransactions open,
      OperatorDecisions operators,
      DecisionTurns turns,
      Settlement settlement) {
    this.replica = replica;
    this.transactions = transactions;
    this.open = open;
    this.operators = operators;
    this.turns = turns;
    this.settlement = settlement;
  }

  boolean isPrimary() {
    return settlement.isPrimary();
  }

  @Override
  public Vote prepare(String transaction) throws InterruptedException {
    return prepare(transaction, WAIT_NANOS);
  }

  Vote prepare(String transaction, long waitNanos) throws InterruptedException {
    long end = System.nanoTime() + waitNanos;
    while (true) {
      // In this order: what is open here is in the log before it is no longer open, and so is what a new primary has inherited.
      boolean primary = isPrimary();
      TransactionTable.Found part = open.find(transaction);
      InDoubt found = settlement.find(transaction);
      if (found != null && isStable(found)) {
        return Vote.PREPARED;
      } else if (found == null && transactions.isReadOnly(transaction)) {
        return voteReadOnly(transaction, end);
      } else if (found == null && primary && part.fate() != TransactionTable.Fate.COMMITTED && operators.find(transaction) == null) {
        return prepareHere(transaction, part.open(), end);
      } else if (System.nanoTime() - end > 0) {
        // A backup that knows nothing of it cannot vote: the primary may prepare it now, or have aborted it.
        throw unprepared(transaction, null);
      }
      Thread.sleep(PAUSE_MS);
    }
  }

  /** The primary has applied the end of its part before that is stable. Its vote is the one that counts. */
  private Vote voteReadOnly(String transaction, long end) {
    if (isPrimary() && !settlement.isConfirmed(transaction, end)) {
      throw unprepared(transaction, null);
    }
    return Vote.READ_ONLY;
  }

  /** Whether every replica of the view has stored the update. A primary shows its own updates earlier. */
  private boolean isStable(InDoubt update) {
    return replica.status().stable() >= update.id().index();
  }

  /** @param part null when it is not open here */
  private Vote prepareHere(String transaction, OpenTransaction part, long end) throws InterruptedException {
    CompletableFuture<Vote> vote = part == null ? CompletableFuture.completedFuture(Vote.ABORTED) : transactions.prepare(part);
    try {
      Vote answer = vote.get(Math.max(1, end - System.nanoTime()), TimeUnit.NANOSECONDS);
      if (answer == Vote.ABORTED) {
        transactions.decided(transaction);
      }
      return answer;
    } catch (TimeoutException | ExecutionException e) {
      // It may still be prepared, so no vote is true. The coordinator aborts without one.
      throw unprepared(transaction, e);
    }
  }

  private static IllegalStateException unprepared(String transaction, Exception cause) {
    return new IllegalStateException(
        "The changes of the transaction " + transaction + " are not known to be stable here. Prepare again.", cause);
  }

  @Override
  public void commit(String transaction) {
    decide(transaction, Decision.COMMITTED);
  }

  @Override
  public void abort(String transaction) {
    open.abortOpen(transaction, "its coordinator aborted it");
    decide(transaction, Decision.ABORTED);
  }

  /**
   * Returns when the coordinator's decision is stable, at the primary, or has taken effect here, at a backup.
   *
   * @throws ContradictedDecisionException when an operator has decided otherwise
   */
  private void decide(String transaction, Decision decision) {
    long end = System.nanoTime() + WAIT_NANOS;
    beginDeciding(transaction);
    try {
      requireVoted(transaction);
      settlement.settle(transaction, decision, end);
      OperatorDecisions.Entry before = operators.find(transaction);
      if (before != null && before.decision() != decision) {
        contradict(before, end);
      }
      if (isPrimary()) {
        if (before != null) {
          // The coordinator forgets its decision when it is acknowledged. A key that stayed would contradict "aborted" then.
          settlement.store(OperatorDecisions.removed(transaction), transaction, end);
        }
        transactions.decided(transaction);
      }
    } finally {
      turns.end(transaction);
    }
  }

  /** What is being prepared here is not in the log yet, and would be in doubt after its coordinator's decision. */
  private void requireVoted(String transaction) {
    OpenTransaction part = open.get(transaction);
    if (part != null && part.isVoting()) {
      throw Settlement.undecided(transaction, null);
    }
  }

  /** Excludes a decision of an operator about the transaction, until {@link DecisionTurns#end}. */
  private void beginDeciding(String transaction) {
    if (!turns.beginCoordinator(transaction)) {
      throw Settlement.undecided(transaction, null);
    }
  }

  /**
   * Ends a part that only the database has as its coordinator has decided. Blocks.
   *
   * @throws IllegalStateException when an operator decides it now, or has decided it otherwise
   * @throws DecisionStoreException when it has not ended
   */
  void endLost(String transaction, String part, Decision decision) {
    beginDeciding(transaction);
    try {
      OperatorDecisions.Entry kept = operators.find(transaction);
      if (kept != null && kept.part().equals(part)) {
        if (kept.decision() != decision) {
          throw Settlement.undecided(transaction, null);
        }
        // As Settlement does for what an operator has decided.
        settlement.confirmPrimary(transaction, System.nanoTime() + WAIT_NANOS);
      }
      transactions.branches().left().end(transaction, part, decision);
    } finally {
      turns.end(transaction);
    }
  }

  private void contradict(OperatorDecisions.Entry decided, long end) {
    String sentence =
        "An operator has decided that the transaction " + decided.id() + " is " + decided.decision() + " here, and its coordinator has "
            + "decided otherwise. Its participants differ. Repair the data, then forget the decision with scripts/transactions.";
    if (isPrimary() && !decided.contradicted()) {
      contradicted.removeIf(id -> operators.find(id) == null);
      // Its coordinator may send the decision again before that is stored, and this group asks for it too.
      if (contradicted.add(decided.id())) {
        LOG.error(sentence);
      }
      settlement.store(decided.contradict().stored(), decided.id(), end);
    }
    throw new ContradictedDecisionException(sentence);
  }

  /** Whether a transaction is in doubt, also one whose memory part is lost. */
  boolean isInDoubt(String transaction) {
    return isPrepared(transaction) || !transactions.branches().left().lost(transaction).isEmpty();
  }

  @Override
  public boolean isMember() {
    return settlement.isMember();
  }

  @Override
  public boolean knowsVotes() {
    return !transactions.branches().mayHaveLost();
  }

  @Override
  public int primary() {
    List<ReplicaId> servers = replica.routing().servers(RequestClass.UPDATE);
    return servers.isEmpty() ? 0 : servers.get(0).number();
  }

  @Override
  public boolean isPrepared(String transaction) {
    return settlement.isPrepared(transaction);
  }

  @Override
  public Set<String> inDoubt() {
    Set<String> ids = new TreeSet<>();
    replica.undecided().forEach(one -> ids.add(one.participant().transaction()));
    transactions.branches().left().lost().forEach(one -> ids.add(one.transaction()));
    return ids;
  }
}
