package org.understudy.replication.runtime.decision;

import java.util.List;
import org.understudy.replication.api.decision.Branch;
import org.understudy.replication.api.decision.DecisionId;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.Input;

/**
 * Carries out what the core requests of a database, see {@link Effects#decide} and {@link Effects#fence}. Thread-safe; no method
 * blocks. The simulation has its own.
 */
public interface DecisionMaker extends AutoCloseable {
  /** Takes what the database has answered. Called without a lock held. */
  @FunctionalInterface
  interface Answers {
    /** Returns false when the replica has halted. */
    boolean take(Input answer);
  }

  /**
   * Called once, before every other method.
   *
   * @param answers of the database go there
   */
  void start(Answers answers);

  /** Commits a branch. Answered by {@link Input.Decided}, unless {@link #rollBack} comes first. */
  void decide(long token, DecisionId id, byte[] key, byte[] response, Branch branch);

  /**
   * Rolls a branch back, unless it has ended or its commit is under way.
   *
   * @param then runs once, afterwards; at once if the branch needs no rollback
   */
  void rollBack(Branch branch, Runnable then);

  /** As {@link Effects#fence}; replaces an earlier request. */
  void fence(long view, DecisionId last, List<DecisionId> prepared, boolean reload);

  /** Returns why the database is not fenced for a view, a sentence for operators; null when it is, or no fence was requested. */
  default String unfenced(long view) {
    return null;
  }

  /** Returns why the database cannot be used, a sentence for operators: it has not answered for some time. Null while it answers. */
  default String silent() {
    return null;
  }

  /** As {@link Effects#recall}; replaces an earlier request. */
  void recall(long view, DecisionId after);

  /** As {@link Effects#forget}. */
  void forget(DecisionId below, boolean all);

  /** Ends the threads. Open branches are rolled back by their database when its connections end. */
  @Override
  void close();
}
