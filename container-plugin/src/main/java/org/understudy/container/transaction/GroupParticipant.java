package org.understudy.container.transaction;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
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
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.runtime.Replica;
import org.understudy.replication.runtime.transaction.DecisionCall;

/**
 * This replica's part in transactions that coordinators outside the group decide. The primary prepares and marks; each backup votes and
 * acknowledges when it holds what the primary has done, so a coordinator reaches the next primary under its own address. Thread-safe.
 *
 * <p>More than 400 lines because decisions of coordinators and of operators exclude each other and end in the same steps.
 */
final class GroupParticipant implements TransactionParticipant {
  private static final Logger LOG = LoggerFactory.getLogger(GroupParticipant.class);
  private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(20);
  private static final long PAUSE_MS = 5;
  /** In the place of a number of threads. */
  private static final int OPERATOR = -1;

  private final Replica replica;
  private final CoordinatedTransactions transactions;
  private final OwnRequests requests;
  private final OpenTransactions open;
  private final OperatorDecisions operators;
  private final Failpoint.Replicated failpoints;
  /** How many threads execute a coordinator's decision about a transaction; or that one executes an operator's, and no other does. */
  private final Map<String, Integer> deciding = new ConcurrentHashMap<>();
  /** The decisions of operators that are logged as contradicted, until they are forgotten. */
  private final Set<String> contradicted = ConcurrentHashMap.newKeySet();

  GroupParticipant(
      Replica replica,
      CoordinatedTransactions transactions,
      OwnRequests requests,
      OpenTransactions open,
      OperatorDecisions operators,
      Failpoint.Replicated failpoints) {
    this.operators = operators;
    this.failpoints = failpoints;
    this.replica = replica;
    this.transactions = transactions;
    this.requests = requests;
    this.open = open;
  }

  boolean isPrimary() {
    return replica.routing().servesUpdates();
  }

  private InDoubt find(String transaction) {
    return replica.undecided().stream().filter(one -> one.participant().transaction().equals(transaction)).findFirst().orElse(null);
  }

  @Override
  public Vote prepare(String transaction) throws InterruptedException {
    return prepare(transaction, WAIT_NANOS);
  }

  Vote prepare(String transaction, long waitNanos) throws InterruptedException {
    long end = System.nanoTime() + waitNanos;
    InDoubt found = find(transaction);
    while (found == null || !isStable(found)) {
      if (found == null && transactions.isReadOnly(transaction)) {
        return voteReadOnly(transaction, end);
      }
      if (found == null && isPrimary() && operators.find(transaction) == null) {
        return prepareHere(transaction, end);
      }
      if (System.nanoTime() - end > 0) {
        // A backup that knows nothing of it cannot vote: the primary may prepare it now, or have aborted it.
        throw unprepared(transaction, null);
      }
      Thread.sleep(PAUSE_MS);
      found = find(transaction);
    }
    return Vote.PREPARED;
  }

  /** The primary has applied the end of its part before that is stable. Its vote is the one that counts. */
  private Vote voteReadOnly(String transaction, long end) {
    if (isPrimary() && !succeeds(requests.confirmPrimary(), transaction, end)) {
      throw unprepared(transaction, null);
    }
    return Vote.READ_ONLY;
  }

  /** Whether every replica of the view has stored the update. A primary shows its own updates earlier. */
  private boolean isStable(InDoubt update) {
    return replica.status().stable() >= update.id().index();
  }

  private Vote prepareHere(String transaction, long end) throws InterruptedException {
    CompletableFuture<Vote> vote = transactions.prepare(transaction);
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
      settle(transaction, decision, end);
      OperatorDecisions.Entry before = operators.find(transaction);
      if (before != null && before.decision() != decision) {
        contradict(before, end);
      }
      if (isPrimary()) {
        if (before != null) {
          // The coordinator forgets its decision when it is acknowledged. A key that stayed would contradict "aborted" then.
          store(OperatorDecisions.removed(transaction), transaction, end);
        }
        transactions.decided(transaction);
      }
    } finally {
      endDeciding(transaction);
    }
  }

  /** Excludes a decision of an operator about the transaction, until {@link #endDeciding}; others of coordinators may come meanwhile. */
  private void beginDeciding(String transaction) {
    if (deciding.merge(transaction, 1, (now, one) -> now == OPERATOR ? now : now + one) == OPERATOR) {
      throw undecided(transaction, null);
    }
  }

  private void endDeciding(String transaction) {
    deciding.computeIfPresent(transaction, (id, count) -> count == 1 ? null : count - 1);
  }

  /** What an operator has decided stands, whoever asks. */
  private void settle(String transaction, Decision asked, long end) {
    requireMember(transaction);
    boolean stable = false;
    for (InDoubt doubt = find(transaction); doubt != null; doubt = find(transaction)) {
      CompletableFuture<Boolean> settled = new CompletableFuture<>();
      if (isPrimary()) {
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
      } else {
        settled.completeOnTimeout(false, PAUSE_MS, TimeUnit.MILLISECONDS);
      }
      if (await(settled, transaction, end)) {
        LOG.debug("The transaction {} is decided. Asked for: {}.", transaction, asked);
        transactions.branches().settled(doubt);
        stable = true;
        break;
      }
    }
    requireMember(transaction);
    if (isPrimary() && !stable) {
      endKept(transaction);
      requirePrimary(transaction, end);
    }
  }

  /** An operator's decision about a lost branch is kept before the branch ends, which a failure of the primary can prevent. */
  private void endKept(String transaction) {
    OperatorDecisions.Entry kept = operators.find(transaction);
    if (kept != null) {
      try {
        transactions.branches().left().end(transaction, kept.part(), kept.decision());
      } catch (DecisionStoreException e) {
        throw undecided(transaction, e);
      }
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
      if (kept != null && kept.part().equals(part) && kept.decision() != decision) {
        throw undecided(transaction, null);
      }
      transactions.branches().left().end(transaction, part, decision);
    } finally {
      endDeciding(transaction);
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
      store(decided.contradict().stored(), decided.id(), end);
    }
    throw new ContradictedDecisionException(sentence);
  }

  private void store(StateChange change, String transaction, long end) {
    if (!succeeds(requests.update(change), transaction, end)) {
      throw undecided(transaction, null);
    }
  }

  // ---- in place of the coordinator

  /**
   * Decides a transaction in doubt at the primary. The decision is kept, so that the coordinator's can be compared with it.
   *
   * @throws IllegalStateException with a sentence, when it is not decided so, or that is not known to be stable
   */
  void decideByOperator(String transaction, Decision decision) {
    long end = System.nanoTime() + WAIT_NANOS;
    if (deciding.putIfAbsent(transaction, OPERATOR) != null) {
      throw new IllegalStateException("The transaction " + transaction + " is being decided now. List the transactions again.");
    }
    try {
      InDoubt doubt = find(transaction);
      OperatorDecisions.Entry before = operators.find(transaction);
      if (before != null && before.decision() != decision) {
        throw new IllegalStateException(
            "An operator has decided that the transaction " + transaction + " is " + before.decision() + ". Finish that.");
      }
      List<LeftBranches.Lost> lost = transactions.branches().left().lost(transaction);
      if (doubt != null && before == null) {
        requirePlace(transaction);
        endFirst(doubt, decision, end);
        keep(transaction, decision, new String(doubt.participant().rest(), StandardCharsets.UTF_8), end);
      }
      if (doubt == null && !lost.isEmpty()) {
        endLost(transaction, lost, before, decision, end);
        return;
      }
      if (!isPrepared(transaction)) {
        // The mark of the coordinator's decision came first in the log.
        requests.update(OperatorDecisions.removed(transaction));
        throw new IllegalStateException("The coordinator of the transaction " + transaction + " has decided it meanwhile.");
      }
      settle(transaction, decision, end);
    } finally {
      deciding.remove(transaction);
    }
  }

  /** The coordinator's decision may have ended the branch, and its mark may be lost. A decision that the database refuses is not kept. */
  private void endFirst(InDoubt doubt, Decision decision, long end) {
    String transaction = doubt.participant().transaction();
    confirmPrimary(transaction, end);
    try {
      transactions.branches().end(doubt, decision);
    } catch (DecisionStoreException e) {
      throw notSo(transaction, decision, e);
    }
  }

  private void keep(String transaction, Decision decision, String part, long end) {
    requirePlace(transaction);
    store(new OperatorDecisions.Entry(transaction, decision, false, part).stored(), transaction, end);
  }

  private void requirePlace(String transaction) {
    if (operators.size() >= OperatorDecisions.MAX) {
      throw new IllegalStateException(
          "The transaction " + transaction + " is not decided: the group keeps " + OperatorDecisions.MAX + " decisions of operators. "
              + "Forget some first.");
    }
  }

  /** Ends what the database has of a transaction that the group's memory has lost. Nothing in memory is changed. */
  private void endLost(
      String transaction, List<LeftBranches.Lost> lost, OperatorDecisions.Entry before, Decision decision, long end) {
    String part = lost.get(0).part();
    // A coordinator that is no group does not find the participant again, so its decision never arrives.
    if (before == null && !part.isEmpty()) {
      requireLost(transaction, part, end);
      keep(transaction, decision, part, end);
    }
    confirmPrimary(transaction, end);
    try {
      lost.stream().map(LeftBranches.Lost::part).distinct().forEach(
          one -> transactions.branches().left().end(transaction, one, decision));
    } catch (DecisionStoreException e) {
      dropRefused(transaction, part, decision, e, end);
      throw new IllegalStateException(
          "The part of the transaction " + transaction + " in the database has not ended: " + e.getMessage() + " Repeat the command.", e);
    }
  }

  /** A decision about a branch that its coordinator has ended would look as if the two differed. */
  private void requireLost(String transaction, String part, long end) {
    confirmPrimary(transaction, end);
    boolean there;
    try {
      there = transactions.branches().left().isThere(transaction, part);
    } catch (DecisionStoreException e) {
      throw undecided(transaction, e);
    }
    if (!there) {
      throw new IllegalStateException("The transaction " + transaction + " has ended meanwhile. List the transactions again.");
    }
  }

  /** What the database cannot do is not kept: its branch would end neither so nor otherwise. */
  private void dropRefused(String transaction, String part, Decision decision, DecisionStoreException failure, long end) {
    boolean refused;
    try {
      refused = transactions.branches().left().refuses(transaction, part, decision, failure);
    } catch (DecisionStoreException e) {
      LOG.debug("The branches in the database could not be read.", e);
      return;
    }
    if (refused) {
      if (operators.find(transaction) != null) {
        store(OperatorDecisions.removed(transaction), transaction, end);
      }
      throw notSo(transaction, decision, failure);
    }
  }

  private static IllegalStateException notSo(String transaction, Decision decision, DecisionStoreException e) {
    return new IllegalStateException(
        "The transaction " + transaction + " is not " + decision + ", because its part of the database has not ended so: "
            + e.getMessage(), e);
  }

  /** Whether a transaction is in doubt, also one whose memory part is lost. */
  boolean isInDoubt(String transaction) {
    return isPrepared(transaction) || !transactions.branches().left().lost(transaction).isEmpty();
  }

  /**
   * Forgets an operator's decision: the coordinator's messages are acknowledged afterwards, whatever it has decided.
   *
   * @throws IllegalArgumentException when there is none
   * @throws IllegalStateException when the transaction is still in doubt, or the removal is not known to be stable
   */
  void forget(String transaction) {
    if (operators.find(transaction) == null) {
      throw new IllegalArgumentException("No operator has decided the transaction " + transaction + " here.");
    }
    if (isPrepared(transaction)) {
      throw new IllegalStateException("The transaction " + transaction + " is still in doubt. Decide it first.");
    }
    store(OperatorDecisions.removed(transaction), transaction, System.nanoTime() + WAIT_NANOS);
    transactions.decided(transaction);
  }

  /** Before the mark: what the log shows as decided is decided in the database too. */
  private void end(InDoubt doubt, Decision decision) {
    try {
      transactions.branches().end(doubt, decision);
    } catch (DecisionStoreException e) {
      throw undecided(doubt.participant().transaction(), e);
    }
  }

  /** A replaced primary that has not noticed it may lack what is prepared. */
  private void requirePrimary(String transaction, long end) {
    confirmPrimary(transaction, end);
    if (isPrepared(transaction)) {
      throw undecided(transaction, null);
    }
  }

  private void confirmPrimary(String transaction, long end) {
    if (!succeeds(requests.confirmPrimary(), transaction, end)) {
      throw undecided(transaction, null);
    }
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
    if (System.nanoTime() - end > 0) {
      throw undecided(transaction, null);
    }
    return false;
  }

  /** A replica outside the view may lack what is prepared. */
  private void requireMember(String transaction) {
    if (!isMember()) {
      throw undecided(transaction, null);
    }
  }

  private static IllegalStateException undecided(String transaction, Exception cause) {
    return new IllegalStateException(
        "The decision of the transaction " + transaction + " is not stable at this replica yet. Send it again.", cause);
  }

  @Override
  public boolean isMember() {
    return !replica.routing().served().isEmpty();
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
    return find(transaction) != null;
  }

  @Override
  public Set<String> inDoubt() {
    Set<String> ids = new TreeSet<>();
    replica.undecided().forEach(one -> ids.add(one.participant().transaction()));
    transactions.branches().left().lost().forEach(one -> ids.add(one.transaction()));
    return ids;
  }
}
