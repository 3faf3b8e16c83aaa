package org.understudy.container.transaction;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The decisions that this replica executes now. One of an operator excludes all others about its transaction; those of its coordinator
 * exclude only an operator's. Thread-safe; does not block.
 */
final class DecisionTurns {
  /** In the place of a number of threads. */
  private static final int OPERATOR = -1;

  /** How many threads execute a coordinator's decision about a transaction; or that one executes an operator's, and no other does. */
  private final Map<String, Integer> deciding = new ConcurrentHashMap<>();

  /** Returns false while an operator's decision about the transaction is executed; otherwise {@link #endCoordinator} is to follow. */
  boolean beginCoordinator(String transaction) {
    return deciding.merge(transaction, 1, (now, one) -> now == OPERATOR ? now : now + one) != OPERATOR;
  }

  void endCoordinator(String transaction) {
    deciding.computeIfPresent(transaction, (id, count) -> count == 1 ? null : count - 1);
  }

  /** Returns false while any decision about the transaction is executed; otherwise {@link #endOperator} is to follow. */
  boolean beginOperator(String transaction) {
    return deciding.putIfAbsent(transaction, OPERATOR) == null;
  }

  void endOperator(String transaction) {
    deciding.remove(transaction);
  }
}
