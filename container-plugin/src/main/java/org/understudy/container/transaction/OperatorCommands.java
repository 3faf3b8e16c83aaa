package org.understudy.container.transaction;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.api.decision.DecisionStoreException;
import org.understudy.replication.api.decision.InDoubt;

/**
 * What operators decide in place of coordinators, at the primary. A decision is kept in the group's state, so that the coordinator's can be
 * compared with it. Thread-safe; blocks.
 */
final class OperatorCommands {
  private static final Logger LOG = LoggerFactory.getLogger(OperatorCommands.class);
  private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(20);

  private final CoordinatedTransactions transactions;
  private final OperatorDecisions operators;
  private final DecisionTurns turns;
  private final Settlement settlement;

  OperatorCommands(
      CoordinatedTransactions transactions, OperatorDecisions operators, DecisionTurns turns, Settlement settlement) {
    this.transactions = transactions;
    this.operators = operators;
    this.turns = turns;
    this.settlement = settlement;
  }

  private LeftBranches left() {
    return transactions.branches().left();
  }

  /**
   * Decides a transaction in doubt.
   *
   * @throws IllegalStateException with a sentence, when it is not decided so, or that is not known to be stable
   */
  void decide(String transaction, Decision decision) {
    long end = System.nanoTime() + WAIT_NANOS;
    begin(transaction);
    try {
      InDoubt doubt = settlement.find(transaction);
      OperatorDecisions.Entry before = operators.find(transaction);
      if (before != null && before.decision() != decision) {
        throw new IllegalStateException(
            "An operator has decided that the transaction " + transaction + " is " + before.decision() + ". Finish that.");
      }
      List<LeftBranches.Lost> lost = left().lost(transaction);
      if (doubt != null && before == null) {
        requirePlace(transaction);
        endFirst(doubt, decision, end);
        keep(transaction, decision, doubt.participant().restText(), end);
      }
      if (doubt == null && !lost.isEmpty()) {
        endLost(transaction, lost, before, decision, end);
        return;
      }
      if (!settlement.isPrepared(transaction)) {
        if (before != null) {
          // Another command has finished that meanwhile.
          return;
        }
        // The mark of the coordinator's decision came first in the log.
        settlement.submit(OperatorDecisions.removed(transaction), transaction);
        throw new IllegalStateException("The coordinator of the transaction " + transaction + " has decided it meanwhile.");
      }
      settlement.settle(transaction, decision, end);
    } finally {
      turns.end(transaction);
    }
  }

  /** The coordinator's decision may have ended the branch, and its mark may be lost. A decision that the database refuses is not kept. */
  private void endFirst(InDoubt doubt, Decision decision, long end) {
    String transaction = doubt.participant().transaction();
    settlement.confirmPrimary(transaction, end);
    try {
      transactions.branches().end(doubt, decision);
    } catch (DecisionStoreException e) {
      throw notSo(transaction, decision, e);
    }
  }

  private void keep(String transaction, Decision decision, String part, long end) {
    requirePlace(transaction);
    settlement.store(new OperatorDecisions.Entry(transaction, decision, false, part).stored(), transaction, end);
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
    settlement.confirmPrimary(transaction, end);
    try {
      lost.stream().map(LeftBranches.Lost::part).distinct().forEach(one -> left().end(transaction, one, decision));
    } catch (DecisionStoreException e) {
      dropRefused(transaction, part, decision, e, end);
      throw new IllegalStateException(
          "The part of the transaction " + transaction + " in the database has not ended: " + e.getMessage() + " Repeat the command.", e);
    }
  }

  /** A decision about a branch that its coordinator has ended would look as if the two differed. */
  private void requireLost(String transaction, String part, long end) {
    settlement.confirmPrimary(transaction, end);
    boolean there;
    try {
      there = left().isThere(transaction, part);
    } catch (DecisionStoreException e) {
      throw Settlement.undecided(transaction, e);
    }
    if (!there) {
      throw new IllegalStateException("The transaction " + transaction + " has ended meanwhile. List the transactions again.");
    }
  }

  /** What the database cannot do is not kept: its branch would end neither so nor otherwise. */
  private void dropRefused(String transaction, String part, Decision decision, DecisionStoreException failure, long end) {
    boolean refused;
    try {
      refused = left().refuses(transaction, part, decision, failure);
    } catch (DecisionStoreException e) {
      LOG.debug("The branches in the database could not be read.", e);
      return;
    }
    if (refused) {
      if (operators.find(transaction) != null) {
        settlement.store(OperatorDecisions.removed(transaction), transaction, end);
      }
      throw notSo(transaction, decision, failure);
    }
  }

  private static IllegalStateException notSo(String transaction, Decision decision, DecisionStoreException e) {
    return new IllegalStateException(
        "The transaction " + transaction + " is not " + decision + ", because its part of the database has not ended so: "
            + e.getMessage(), e);
  }

  /**
   * Forgets an operator's decision: the coordinator's messages are acknowledged afterwards, whatever it has decided.
   *
   * @throws IllegalArgumentException when there is none
   * @throws IllegalStateException when the transaction is still in doubt, or is being decided, or the removal is not known to be stable
   */
  void forget(String transaction) {
    if (operators.find(transaction) == null) {
      throw new IllegalArgumentException("No operator has decided the transaction " + transaction + " here.");
    }
    // What is noted about the decision meanwhile would bring it back.
    begin(transaction);
    try {
      if (settlement.isPrepared(transaction) || !left().lost(transaction).isEmpty()) {
        throw new IllegalStateException("The transaction " + transaction + " is still in doubt. Decide it first.");
      }
      settlement.store(OperatorDecisions.removed(transaction), transaction, System.nanoTime() + WAIT_NANOS);
      transactions.decided(transaction);
    } finally {
      turns.end(transaction);
    }
  }

  private void begin(String transaction) {
    if (!turns.beginOperator(transaction)) {
      throw new IllegalStateException("The transaction " + transaction + " is being decided now. List the transactions again.");
    }
  }
}
