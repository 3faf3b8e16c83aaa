package org.understudy.replication.runtime;

import java.util.List;
import java.util.Map;
import org.understudy.replication.api.decision.ParticipantRecord;
import org.understudy.replication.core.request.Outcome;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.runtime.state.AppliedState;

/**
 * Receives the results of the executions that a replica has permitted with {@link Call#execute}. Thread-safe; never blocks.
 */
public interface Executions {
  /**
   * Reports that the service method has returned, its response is marshalled and its state captured.
   *
   * @param versions of every resource that the method read, by key: what {@link AppliedState#version} returned before
   *     the state was read
   * @param outcome the response, or a terminal failure without changes: it is stored and replicated as the request's
   *     answer, and {@link Call#fail} is called with it when it is stable
   * @param proposal is committed or rolled back: before this returns, or later by any thread. It is rolled back when the
   *     strategy refuses the execution, the replica lost its role meanwhile or has halted, a limit was exceeded, or the
   *     outcome is a failure
   */
  void executed(
      long token, Map<String, Long> versions, Outcome outcome, List<StateChange> changes, Proposal proposal);

  /**
   * Reports the changes of a transaction instead of a result: they are prepared, and take effect when the transaction's coordinator has
   * decided so, see {@link Replica#decide}. The request has no key, and is of the owner who pays for the changes. Its answer is of no
   * interest.
   *
   * @param versions as for {@link #executed}
   * @param changes all that the transaction has changed here
   * @param proposal {@link Proposal#prepared} is called when every replica of the view has stored the changes, then commit or rollback
   *     when they are decided. It is only rolled back when they cannot be prepared, and when this replica loses its role: then another
   *     primary may have them in doubt
   * @throws IllegalStateException when transactions are not supported here
   */
  default void prepared(
      long token, Map<String, Long> versions, List<StateChange> changes, ParticipantRecord participant, Proposal proposal) {
    throw new IllegalStateException("Transactions over several groups are not supported here.");
  }

  /**
   * Reports that there will be no response; the caller rolls the execution back itself. Also frees the place of a waiting
   * call that has been answered.
   */
  void abandoned(long token);

  /**
   * Reports that a database has ended the transaction of an execution by itself, for example because of a deadlock. The proposal is
   * rolled back, with its branch, and the execution is permitted again a limited number of times.
   *
   * @throws IllegalStateException when no database decides updates here
   */
  default void aborted(long token, Proposal proposal) {
    throw new IllegalStateException("This replica has no database that decides updates.");
  }

  /**
   * Returns the wire version in which an execution that now ends is replicated. If the view changes before the execution has been
   * reported, it is rolled back; the version never falls.
   */
  int wire();
}
