package org.understudy.container.transaction;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The decisions that this replica executes now. A command of an operator excludes all others about its transaction; decisions of its
 * coordinator exclude only operators' commands. Thread-safe; does not block.
 */
final class DecisionTurns {
  /**
   * By transaction, how many threads execute a coordinator's decision, with the changes of theirs that the log may still take; negative for
   * an operator's command, which one thread executes.
   */
  private final Map<String, Integer> turns = new ConcurrentHashMap<>();

  /** Returns false while an operator's command about the transaction is executed; otherwise {@link #end} is to follow. */
  boolean beginCoordinator(String transaction) {
    return turns.merge(transaction, 1, (now, one) -> now < 0 ? now : now + one) > 0;
  }

  /** Returns false while any decision or command about the transaction is executed; otherwise {@link #end} is to follow. */
  boolean beginOperator(String transaction) {
    return turns.putIfAbsent(transaction, -1) == null;
  }

  /**
   * Lets a turn that has begun go on until the log has a change or never will, although the thread of the turn may not wait for so long.
   * Another decision could come first in the log otherwise. Without effect when there is no turn.
   */
  void goOnUntil(String transaction, CompletableFuture<?> change) {
    if (turns.computeIfPresent(transaction, (id, count) -> count < 0 ? count - 1 : count + 1) != null) {
      change.whenComplete((done, e) -> end(transaction));
    }
  }

  /** The thread of a turn has ended. */
  void end(String transaction) {
    turns.computeIfPresent(transaction, (id, count) -> Math.abs(count) == 1 ? null : count < 0 ? count + 1 : count - 1);
  }
}
